//! Code that was escaped once too often: `\n` as two characters.

use crate::nesting::outside_strings;

/// With the line ends that are escaped outside of strings unescaped.
pub(super) fn line_ends(text: &str) -> Option<String> {
    let mut decoded = String::with_capacity(text.len());
    let mut changed = false;
    let mut from = 0usize;
    for at in outside_strings(text, b'\\') {
        let escape = text.get(at..at.saturating_add(2))?;
        let plain = match escape {
            "\\n" => "\n",
            "\\r" => "\r",
            "\\t" => "\t",
            _ => continue,
        };
        decoded.push_str(text.get(from..at)?);
        decoded.push_str(plain);
        from = at.saturating_add(2);
        changed = true;
    }
    decoded.push_str(text.get(from..)?);
    changed.then_some(decoded)
}

/// The whole text as the inside of a JSON string.
pub(super) fn all(text: &str) -> Option<String> {
    let text = text.trim();
    let inside = text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(text);
    let decoded: String = serde_json::from_str(&format!("\"{inside}\"")).ok()?;
    (decoded != inside).then_some(decoded)
}
