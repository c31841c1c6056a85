//! Programs that would run as they stand, made from the operations there are.

use super::describe::callee;
use crate::{
    forage::sample,
    operation::{Access, Entry},
};

/// Bytes of an input that still reads as an example.
const INPUT_BYTES: usize = 300;

/// One program with one call, and one with two side by side where two operations only
/// read; empty when no operation can be shown.
pub(super) fn examples(entries: &[&Entry]) -> String {
    let unasked = |entry: &&&Entry| !entry.operation().labels().confirm;
    let reads = |entry: &&&Entry| entry.operation().labels().access == Access::Read;
    let reading: Vec<String> = entries
        .iter()
        .filter(unasked)
        .filter(reads)
        .filter_map(|entry| call(entry))
        .take(2)
        .collect();
    match reading.as_slice() {
        [one, other] => format!(
            "\n\nExample: return {one}\nExample: const [first, second] = await Promise.all([{}, {}]);\n\
             return {{ first, second }}",
            bare(one),
            bare(other),
        ),
        [one] => format!("\n\nExample: return {one}"),
        _ => {
            let any = entries.iter().filter(unasked).find_map(|entry| call(entry));
            any.map_or_else(String::new, |call| format!("\n\nExample: return {call}"))
        }
    }
}

fn bare(call: &str) -> &str {
    call.strip_prefix("await ").unwrap_or(call)
}

/// A call that the operation's own schema takes; none when no such input is found, or when
/// it could repeat a third party's words.
fn call(entry: &Entry) -> Option<String> {
    let operation = entry.operation();
    if operation.is_third_party() {
        return None;
    }
    let text = sample(operation.input_schema())?.to_string();
    (text.len() <= INPUT_BYTES).then(|| format!("await {}({text})", callee(entry)))
}
