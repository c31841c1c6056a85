//! The shared corpus of code forms. What a program gives is checked where
//! there is an engine; here, whether it is read or refused as it should be.

use std::path::Path;

use mycelium_intake::read_on_own_stack;
use serde_json::Value;

use super::is_module;

/// Beside the repository.
const CORPUS: &str = "../../shared/corpora/guest-code/code-forms.json";

const FAILURE: &str = "a named failure";

#[test]
fn every_code_form_is_read_or_refused_as_it_should_be() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(CORPUS);
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert!(std::env::var_os("CI").is_none(), "CI needs the corpus at {CORPUS}");
        eprintln!("SKIPPED: no corpus at {CORPUS}");
        return;
    };
    let corpus: Value = serde_json::from_str(&text).expect("JSON");
    let cases = corpus["cases"].as_array().expect("cases");
    let wrong: Vec<_> = cases.iter().filter_map(verdict).collect();
    eprintln!("code forms: {} run, {} right, 0 skipped", cases.len(), cases.len() - wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is wrong with a case.
fn verdict(case: &Value) -> Option<String> {
    let text = |key: &str| case[key].as_str().unwrap_or("");
    let failure = case["sensible"] == FAILURE;
    let either = case["also"] == FAILURE || (failure && !case["also"].is_null());
    // Only a run can tell that these values are no JSON.
    let fails_later = failure && text("category") == "value";
    let wrong = match read_on_own_stack(text("code")) {
        Ok(program) if !is_module(&program.module) => "not a module".to_owned(),
        Ok(_) if failure && !either && !fails_later => "was read".to_owned(),
        Ok(program) if !program.module.contains("return") => "gives nothing".to_owned(),
        Err(refusal) if !failure && !either => refusal.to_string(),
        answer => {
            eprintln!("{:>8}  {}", if answer.is_ok() { "read" } else { "refused" }, text("name"));
            return None;
        }
    };
    Some(format!("{}: {wrong}", text("name")))
}
