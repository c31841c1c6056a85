//! Pages that are made of tables: each says what the table says.
//!
//! With `MYCELIUM_WRITE_DOCS=1` they are written instead.

use std::{fmt::Write as _, fs, path::Path};

use mycelium::{
    failure::{REASONS, Ran, TABLE},
    limits,
};

const WRITE: &str = "MYCELIUM_WRITE_DOCS";

fn holds(name: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    if std::env::var_os(WRITE).is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, page).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/{name} isn't what the table says: write it with {WRITE}=1");
}

/// A cell: a bar would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn failures() -> String {
    let mut page = String::from(
        "# Failures\n\n\
         <!-- Made from the tables in src/failure: change those. -->\n\n\
         A program fails with one of these. The model is shown the code, the message with the \
         facts that stand in braces here, and a reference; the operator finds the evidence under the reference. A failed \
         run still lists the calls that it made.\n\n\
         *Again* says whether the same call may succeed later unchanged. *Ran* says whether \
         anything may have run: where something may have, look at the list of calls before you \
         send it again.\n\n\
         | code | again | ran | message |\n| --- | --- | --- | --- |\n",
    );
    for row in TABLE {
        let again = if row.retryable { "yes" } else { "no" };
        let ran = match row.ran {
            Ran::Nothing => "nothing",
            Ran::Perhaps => "perhaps",
        };
        let _ = writeln!(page, "| `{}` | {again} | {ran} | {} |", row.code, cell(row.message));
    }
    page.push_str(
        "\n## Refusals\n\n\
         A call that isn't allowed is no failure: its answer is an object with `module`, \
         `operation`, `reason` and `message`, and the run lists it besides. The operation did \
         not run.\n\n\
         | reason | message |\n| --- | --- |\n",
    );
    for row in REASONS {
        let _ = writeln!(page, "| `{}` | {} |", row.code, cell(row.message));
    }
    page
}

fn bounds() -> String {
    let mut page = String::from(
        "# Limits\n\n\
         <!-- Made from the table in src/limits.rs: change that. -->\n\n\
         Nothing that a program or a call sends can widen one of these.\n\n\
         | limit | value | what it bounds |\n| --- | ---: | --- |\n",
    );
    for row in limits::TABLE {
        let _ = writeln!(page, "| `{}` | {} | {} |", row.name, row.value, cell(row.meaning));
    }
    page
}

#[test]
fn the_page_of_failures_says_what_the_table_says() {
    holds("FAILURES.md", &failures());
}

#[test]
fn the_page_of_limits_says_what_the_table_says() {
    holds("LIMITS.md", &bounds());
}
