//! What the model is told, made from the operations there are.

use std::fmt::Write as _;

use crate::operation::{Catalog, Entry};
use crate::runtime::access::Standing;

/// How many operations the description names; the rest is counted.
const OPERATIONS_NAMED: usize = 40;

/// The description over the operations of `catalog` that `standing` doesn't hide.
pub(super) fn describe(catalog: &Catalog, standing: &Standing) -> String {
    let entries: Vec<_> =
        catalog.entries().iter().filter(|entry| !standing.hides(entry.module())).collect();
    let mut text = String::from(
        "Runs a JavaScript or TypeScript program, the body of an async function, and gives back \
         what it returns as JSON. Each call runs in a fresh sandbox, not a REPL: no variable, \
         function or global survives between calls. There is no network and there are no imports; \
         the operations below are all there is.\n",
    );
    for entry in entries.iter().take(OPERATIONS_NAMED) {
        // Writing to a string can't fail.
        let description = entry.operation().description();
        let _ = write!(text, "\nawait {}(input): {description}", callee(entry));
    }
    let more = entries.len().saturating_sub(OPERATIONS_NAMED);
    if more > 0 {
        let _ = write!(text, "\nand {more} more operations");
    }
    if let Some(entry) = entries.first() {
        let _ = write!(text, "\n\nExample: return await {}({{}})", callee(entry));
    }
    text
}

/// What code says to call it.
fn callee(entry: &Entry) -> String {
    let env = if entry.has_short_form() { "" } else { "env." };
    format!("{env}{}", entry.path())
}
