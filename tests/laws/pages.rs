//! Pages that are made of tables: each says what the table says.
//!
//! With `MYCELIUM_WRITE_DOCS=1` they are written instead.

use std::{fmt::Write as _, fs, path::Path};

use mycelium::{
    config,
    failure::{REASONS, Ran, TABLE},
    limits,
};

const WRITE: &str = "MYCELIUM_WRITE_DOCS";

fn holds(name: &str, page: &str) {
    stands(&format!("docs/{name}"), page);
}

fn stands(name: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os(WRITE).is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, page).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "{name} isn't what the table says: write it with {WRITE}=1");
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

const CONFIGURATION: &str = "\
# Configuration

<!-- Made from the types in src/config: change those. -->

`mycelium.toml` is bundled with the Worker and read once, strictly: an unknown key, a wrong
type or a number out of bounds is an error, and all errors are told at once. While there are
any, every route answers 500 `config-invalid` with all of them, and nothing else runs. Editors
that know `#:schema` check the file as it is written, by `mycelium.schema.json`.

Secrets are never written here: a key that says *secret* takes the name of one, which
`npx wrangler secret put NAME` sets. A connection whose secret or binding is missing, or that
doesn't answer, is left out and told in the log; the others serve.

## Grants

Nobody may use what isn't granted. `[grants.role.ROLE]`, `[grants.member.ID]`,
`[grants.agent.ID]` and `[grants.key.ID]` say it by connection: `\"write\"` is everything,
`\"read\"` what only reads, `\"none\"` nothing. What is said of one actor stands over what is
said of its role, and that over `[grants.everyone]`. After a person has approved a call, it is
looked up again.

With `session` under `[grants]` a Worker that binds the entry point `SessionGrants` may change
what a principal has while it works, from the very next call on: `\"narrow\"` only takes away,
`\"set\"` may give too. [SERVICE](SERVICE.md#grants-of-agents-while-they-work) shows how. It costs
one question to the principal's object before each call.

```toml
[grants.role.engineer]
petstore = \"write\"

[grants.agent.reporter]
petstore = \"read\"
```

## Keys

A name in capitals stands for one that you choose.

| key | what it is | accepted | when it is left out |
| --- | --- | --- | --- |
";

fn configuration() -> String {
    let mut page = CONFIGURATION.to_owned();
    for row in config::rows() {
        let default = if row.default.is_empty() { "needed" } else { row.default };
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            row.key,
            cell(row.meaning),
            cell(row.accepted.trim_end_matches(',')),
            cell(default)
        );
    }
    page.push_str(
        "\n## Variables\n\n\
         A variable of the Worker, in `wrangler.toml` under `[vars]` or in `.dev.vars`, stands \
         over the key. A list has commas between.\n\n\
         | variable | key |\n| --- | --- |\n",
    );
    for (variable, key) in config::variables() {
        let _ = writeln!(page, "| `{variable}` | `{key}` |");
    }
    page.push_str(
        "\nThe secret `MYCELIUM_API_KEYS` has keys too, besides those of `auth.keys`: \
         `{\"NAME\": {\"sha256\": \"…\", \"kind\": \"agent\", \"id\": \"ci\"}}`.\n",
    );
    page
}

#[test]
fn the_page_of_configuration_and_its_schema_say_what_is_read() {
    holds("CONFIGURATION.md", &configuration());
    let schema = serde_json::to_string_pretty(&config::schema()).unwrap() + "\n";
    stands("mycelium.schema.json", &schema);
}

#[test]
fn the_page_of_failures_says_what_the_table_says() {
    holds("FAILURES.md", &failures());
}

#[test]
fn the_page_of_limits_says_what_the_table_says() {
    holds("LIMITS.md", &bounds());
}
