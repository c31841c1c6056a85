//! What was measured, written down: `BENCHMARKS.md` for people, `target/bench/results.json`
//! for programs.

use std::{collections::BTreeMap, fmt::Write as _, fs};

use super::machine;
use crate::{build::output, failure::Failure, workspace::Workspace};

/// A figure's bound.
#[derive(Clone, Copy, Debug)]
enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

/// The figures that are compared from one measurement to the next: what each is, its goal,
/// and why it falls short where it does.
const KEYS: [(&str, &str, Goal, &str); 7] = [
    (
        "execute_vs_floor",
        "processor time of a trivial execute, over that of a bare loader with a WebSocket",
        Goal::AtMost(1.35),
        "by the profile below each isolate compiles the guest's runtime anew (19 KB: a module \
         that isn't used yet is compiled all the same, so that splitting it gains nothing), and \
         the host reads the program, admits, checks and records; no single function of that is \
         over one percent",
    ),
    (
        "execute_vs_codemode",
        "the same, over @cloudflare/codemode's",
        Goal::AtMost(1.0),
        "the bare loader alone is at 0.86 of codemode, so that 0.7 ms are left for everything \
         that the profile below shows beside it; codemode has no runtime in the guest but a \
         proxy, and checks nothing around a run",
    ),
    (
        "call_vs_websocket_echo",
        "processor time of one host call, over a bare echo on a WebSocket",
        Goal::AtMost(1.3),
        "two frames cost the platform as much as the echo; reading the input, two schemas, \
         access and the record come on top",
    ),
    (
        "concurrent16_vs_codemode",
        "executes a second with 16 at once, over codemode's",
        Goal::AtLeast(1.2),
        "one thread runs all isolates, so that this is the ratio of processor times again: the \
         bare loader itself reaches 1.05 of codemode",
    ),
    (
        "mcp_tools_list_vs_agents",
        "tools/list a second, stateless, over createMcpHandler's",
        Goal::AtLeast(1.5),
        "see the table",
    ),
    (
        "validate_vs_cfworker_10k",
        "validations a second of a 10 KiB text, over @cfworker/json-schema's",
        Goal::AtLeast(5.0),
        "three quarters of ours is reading the text into a value and giving that back; theirs \
         begins with V8's own JSON.parse",
    ),
    (
        "search_3000_p50_ms",
        "milliseconds of one search over 3 000 operations",
        Goal::AtMost(5.0),
        "see the table",
    ),
];

/// A table with its title, and the pictures that were drawn of it.
#[derive(Debug)]
struct Section {
    title: String,
    text: String,
    pictures: Vec<&'static str>,
}

/// What has been measured so far.
#[derive(Debug, Default)]
pub(super) struct Results {
    sections: Vec<Section>,
    keys: BTreeMap<&'static str, f64>,
    short: Vec<String>,
}

impl Results {
    /// Prints a table and keeps it.
    pub(super) fn section(&mut self, title: &str, text: &str) {
        let text = text.trim_matches('\n');
        println!("\n{title}\n{text}");
        let (title, text) = (title.to_owned(), text.to_owned());
        self.sections.push(Section { title, text, pictures: Vec::new() });
    }

    /// Shows a picture below the table that was printed last; its path is from the root.
    pub(super) fn picture(&mut self, path: &'static str) {
        if let Some(section) = self.sections.last_mut() {
            section.pictures.push(path);
        }
    }

    /// Keeps a figure, if there is one.
    pub(super) fn key(&mut self, key: &'static str, figure: Option<f64>) {
        self.keys.extend(figure.filter(|figure| figure.is_finite()).map(|figure| (key, figure)));
    }

    /// Keeps what is short of its goal.
    pub(super) fn short(&mut self, lines: Vec<String>) {
        self.short.extend(lines);
    }

    /// Writes both files.
    ///
    /// Fails when a figure is missing: a file that lacks it would read as one that has none.
    pub(super) fn write(&self, workspace: &Workspace) -> Result<(), Failure> {
        if let Some((missing, ..)) = KEYS.iter().find(|(key, ..)| !self.keys.contains_key(key)) {
            return Err(Failure::missing(missing, "run make bench again, and look at its table"));
        }
        let folder = workspace.root().join("target").join("bench");
        fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
        let json = serde_json::to_string_pretty(&self.keys)
            .map_err(|error| Failure::step("write the figures", &error))?;
        output::write(&folder.join("results.json"), format!("{json}\n").as_bytes())?;
        let page = self.page(&machine::told(workspace));
        output::write(&workspace.root().join("BENCHMARKS.md"), page.as_bytes())
    }

    fn page(&self, machine: &str) -> String {
        let mut page = format!(
            "# Benchmarks\n\nWritten by `make bench`; don't edit.\n\n{machine}\n\n\
             | figure | | goal | |\n| --- | --- | --- | --- |\n"
        );
        for (key, what, goal, _) in &KEYS {
            let (sign, bound) = match goal {
                Goal::AtMost(bound) => ("≤", bound),
                Goal::AtLeast(bound) => ("≥", bound),
            };
            let figure = self.keys.get(key).copied().unwrap_or(f64::NAN);
            // Writing to a string can't fail.
            let _ = writeln!(page, "| `{key}` | {figure:.2} | {sign} {bound} | {what} |");
        }
        let short = self.shortfalls();
        if !short.is_empty() {
            let _ = write!(page, "\n## Short of their goals\n\n- {}\n", short.join("\n- "));
        }
        for Section { title, text, pictures } in &self.sections {
            let _ = write!(page, "\n## {title}\n\n```text\n{text}\n```\n");
            for path in pictures {
                let _ = write!(page, "\n![{title}]({path})\n");
            }
        }
        page
    }

    /// What is short of its goal, with the cause where one is known.
    fn shortfalls(&self) -> Vec<String> {
        let missed = KEYS.iter().filter(|(key, _, goal, _)| {
            self.keys.get(key).is_some_and(|figure| match goal {
                Goal::AtMost(bound) => figure > bound,
                Goal::AtLeast(bound) => figure < bound,
            })
        });
        let missed = missed.map(|(key, _, _, cause)| format!("`{key}`: {cause}."));
        missed.chain(self.short.iter().map(|line| format!("{line}."))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYS, Results};

    fn results(figure: f64) -> Results {
        let mut results = Results::default();
        KEYS.iter().for_each(|(key, ..)| results.key(key, Some(figure)));
        results
    }

    #[test]
    fn what_is_short_of_its_goal_is_said_with_its_cause() {
        let page = results(2.0).page("machine");
        assert!(page.contains("| `execute_vs_floor` | 2.00 | ≤ 1.35 |"), "{page}");
        assert!(page.contains("- `execute_vs_floor`: by the profile"), "{page}");
        assert!(!page.contains("- `concurrent16_vs_codemode`"), "{page}");
        let mut all = results(1.0);
        all.short(vec!["a graph is late".to_owned()]);
        assert!(all.page("machine").contains("- a graph is late."));
    }

    #[test]
    fn a_picture_stands_below_its_own_table() {
        let mut results = results(1.0);
        results.section("Growth", "1 2 3");
        results.picture("docs/growth.svg");
        results.section("More", "4");
        let page = results.page("machine");
        let shown = "## Growth\n\n```text\n1 2 3\n```\n\n![Growth](docs/growth.svg)\n\n## More";
        assert!(page.contains(shown), "{page}");
    }

    #[test]
    fn a_figure_that_is_no_number_is_missing() {
        let mut results = Results::default();
        results.key("execute_vs_floor", Some(f64::NAN));
        results.key("execute_vs_codemode", None);
        assert!(results.keys.is_empty());
    }
}
