//! What is said of a pen that is shared.
//!
//! Owns the rules of a manifest, whole and each by its path. Doesn't own where it is stored.
//!
//! Spec: 002, §4.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PenId;
use crate::{json, limits::PEN_MANIFEST_BYTES, schema::Schema};

/// The copyright that every shared pen carries.
pub const COPYRIGHT: &str = "国作登字-2026-A-00037559";

/// A manifest as its author sends it: the whole of it but the moment, which is the host's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManifestInput {
    /// The pen.
    pub pen_id: String,
    /// Its persona.
    pub persona_id: String,
    /// In one sentence, what the tool is for.
    pub intent_summary: String,
    /// What it is good for, one entry each.
    pub use_cases: Vec<String>,
    /// What goes in and what comes out.
    pub io_contract: IoContract,
    /// What it needs, each as pkg@version; an empty list when it needs nothing.
    pub dependencies: Vec<String>,
    /// Inputs and what is expected of them, by the contract above.
    pub test_examples: Vec<TestExample>,
    /// The copyright line: 国作登字-2026-A-00037559
    pub copyright: String,
}

/// What goes in and what comes out, as JSON Schemas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IoContract {
    /// What goes in.
    pub input_schema: Value,
    /// What comes out.
    pub output_schema: Value,
}

/// An input and what is expected of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestExample {
    /// What goes in.
    pub input: Value,
    /// What comes out.
    pub expected: Value,
}

/// A manifest as it lies beside a shared pen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What its author said.
    #[serde(flatten)]
    pub said: ManifestInput,
    /// When it was shared, in ISO 8601 by the host's clock.
    pub shared_at: String,
}

impl ManifestInput {
    /// Checks a manifest of the pen `id`.
    ///
    /// # Errors
    ///
    /// The member and the rule it breaks.
    pub fn check(&self, id: &PenId) -> Result<(), String> {
        let wrong = |member: &str, rule: &str| Err(format!("manifest.{member}: {rule}"));
        if self.pen_id != id.to_string() {
            return wrong("pen_id", "it is the pen's own id");
        }
        if self.persona_id != id.persona().as_str() {
            return wrong("persona_id", "it is the persona that the pen belongs to");
        }
        if !is_sentence(&self.intent_summary) {
            return wrong("intent_summary", "it is one sentence on one line, of 500 bytes at most");
        }
        if self.use_cases.is_empty() || self.use_cases.iter().any(|case| case.trim().is_empty()) {
            return wrong("use_cases", "there is at least one, and none is empty");
        }
        if let Some(name) = self.dependencies.iter().find(|name| !is_dependency(name)) {
            let rule = format!("{name:?} isn't pkg@version");
            return wrong("dependencies", &rule);
        }
        if self.copyright != COPYRIGHT {
            return wrong("copyright", &format!("it is exactly {COPYRIGHT}"));
        }
        self.examples()?;
        let text = serde_json::to_value(self).map_err(|_| "manifest: it isn't JSON".to_owned())?;
        json::encode(&text, PEN_MANIFEST_BYTES).map_err(|error| format!("manifest: {error}"))?;
        Ok(())
    }

    /// Holds the examples to the contract.
    fn examples(&self) -> Result<(), String> {
        let schema = |name: &str, document: &Value| {
            Schema::new(document.clone())
                .map_err(|error| format!("manifest.io_contract.{name}: {error}"))
        };
        let input = schema("input_schema", &self.io_contract.input_schema)?;
        let output = schema("output_schema", &self.io_contract.output_schema)?;
        if self.test_examples.is_empty() {
            return Err("manifest.test_examples: there is at least one".to_owned());
        }
        for (index, example) in self.test_examples.iter().enumerate() {
            let wrong = |member: &str, error: &dyn std::fmt::Display| {
                format!("manifest.test_examples[{index}].{member} breaks io_contract: {error}")
            };
            input.validate(&example.input).map_err(|error| wrong("input", &error))?;
            output.validate(&example.expected).map_err(|error| wrong("expected", &error))?;
        }
        Ok(())
    }
}

fn is_sentence(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= 500 && !text.contains(['\n', '\r'])
}

/// A name, perhaps scoped, `@`, and a version without blanks.
fn is_dependency(text: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "._-+~^/".contains(letter))
    };
    let unscoped = text.strip_prefix('@').unwrap_or(text);
    text.len() <= 214
        && unscoped.split_once('@').is_some_and(|(name, version)| plain(name) && plain(version))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{COPYRIGHT, ManifestInput, PenId};

    fn id() -> PenId {
        PenId::parse("MPP-ink-20260501-001").unwrap()
    }

    fn whole() -> Value {
        json!({
            "pen_id": "MPP-ink-20260501-001", "persona_id": "ink",
            "intent_summary": "Sums numbers.", "use_cases": ["totals"],
            "io_contract": {
                "input_schema": {"type": "array", "items": {"type": "number"}},
                "output_schema": {"type": "number"},
            },
            "dependencies": ["@scope/pkg@1.2.3", "left-pad@^1.0.0"],
            "test_examples": [{"input": [1, 2], "expected": 3}],
            "copyright": COPYRIGHT,
        })
    }

    fn problem(manifest: Value) -> Option<String> {
        match serde_json::from_value::<ManifestInput>(manifest) {
            Ok(manifest) => manifest.check(&id()).err(),
            Err(error) => Some(error.to_string()),
        }
    }

    #[test]
    fn a_whole_manifest_is_taken_and_none_with_a_member_missing() {
        assert_eq!(problem(whole()), None);
        for member in whole().as_object().unwrap().keys() {
            let mut manifest = whole();
            manifest.as_object_mut().unwrap().remove(member);
            assert!(problem(manifest).is_some_and(|text| text.contains(member)), "{member}");
        }
        let mut more = whole();
        more["shared_at"] = json!("2026-05-01T00:00:00Z");
        assert!(problem(more).is_some(), "the moment is the host's");
    }

    #[test]
    fn a_manifest_that_breaks_a_rule_says_which() {
        for (pointer, value, names) in [
            ("/pen_id", json!("MPP-ink-20260501-002"), "pen_id"),
            ("/persona_id", json!("other"), "persona_id"),
            ("/intent_summary", json!(" "), "intent_summary"),
            ("/intent_summary", json!("one\ntwo"), "intent_summary"),
            ("/use_cases", json!([]), "use_cases"),
            ("/use_cases", json!([""]), "use_cases"),
            ("/dependencies", json!(["left-pad"]), "dependencies"),
            ("/dependencies", json!(["left pad@1"]), "dependencies"),
            ("/copyright", json!("国作登字-2026-A-00037558"), "copyright"),
            ("/io_contract/input_schema", json!({"type": "nothing"}), "input_schema"),
            ("/io_contract/output_schema", json!(3), "output_schema"),
            ("/test_examples", json!([]), "test_examples"),
            ("/test_examples/0/input", json!("x"), "test_examples[0].input"),
            ("/test_examples/0/expected", json!("x"), "test_examples[0].expected"),
            ("/use_cases", json!(["x".repeat(70_000)]), "manifest: "),
        ] {
            let mut manifest = whole();
            *manifest.pointer_mut(pointer).unwrap() = value;
            let problem = problem(manifest).unwrap();
            assert!(problem.contains(names), "{pointer}: {problem}");
        }
    }
}
