//! The parameters that a schema names, read from its text: a search keeps none of it.

use std::borrow::Cow;

/// Parameters that count.
const PARAMETERS: usize = 64;
/// How deep parameters are looked for.
const DEPTH: usize = 3;

/// What is said of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Name,
    Description,
}

/// Tells `hear` of the parameters in the text of a schema, as they come.
///
/// The text is a schema's own, which has no blanks; of another it tells what it can.
pub(super) fn parameters(text: &str, hear: &mut dyn FnMut(Said, &str)) {
    let mut reader = Reader { text, at: 0, left: PARAMETERS, hear };
    let _ = reader.schema(false, DEPTH);
}

struct Reader<'t, 'h> {
    text: &'t str,
    at: usize,
    /// Parameters that still count.
    left: usize,
    hear: &'h mut dyn FnMut(Said, &str),
}

impl<'t> Reader<'t, '_> {
    /// A schema, which is a parameter's when it is `named`; `depth` levels of parameters are
    /// still looked into.
    fn schema(&mut self, named: bool, depth: usize) -> Option<()> {
        if !self.enters() {
            return self.skip();
        }
        while let Some(keyword) = self.key()? {
            match (keyword, depth.checked_sub(1)) {
                ("description", _) if named && self.peek()? == b'"' => {
                    let text = self.string()?;
                    self.tell(Said::Description, text);
                }
                ("items", Some(depth)) => self.schema(false, depth)?,
                ("properties", Some(depth)) => self.parameters(depth)?,
                _ => self.skip()?,
            }
        }
        Some(())
    }

    /// A map of parameters.
    fn parameters(&mut self, depth: usize) -> Option<()> {
        if !self.enters() {
            return self.skip();
        }
        while let Some(name) = self.key()? {
            match self.left.checked_sub(1) {
                Some(rest) => {
                    self.left = rest;
                    self.tell(Said::Name, name);
                    self.schema(true, depth)?;
                }
                None => self.skip()?,
            }
        }
        Some(())
    }

    fn tell(&mut self, said: Said, text: &str) {
        let text = match text.contains('\\') {
            false => Cow::Borrowed(text),
            true => serde_json::from_str(&format!("\"{text}\"")).unwrap_or_default(),
        };
        (self.hear)(said, &text);
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Whether a map begins here, which is then gone into.
    fn enters(&mut self) -> bool {
        let enters = self.peek() == Some(b'{');
        self.at = self.at.saturating_add(usize::from(enters));
        enters
    }

    /// The next key of the map that is being read; none at its end.
    fn key(&mut self) -> Option<Option<&'t str>> {
        if self.peek()? == b',' {
            self.at = self.at.saturating_add(1);
        }
        if self.peek()? == b'}' {
            self.at = self.at.saturating_add(1);
            return Some(None);
        }
        let key = self.string()?;
        self.at = self.at.saturating_add(1);
        Some(Some(key))
    }

    /// What stands between the quotes of a string.
    fn string(&mut self) -> Option<&'t str> {
        let start = self.at.saturating_add(1);
        let bytes = self.text.as_bytes();
        let mut end = start;
        loop {
            match bytes.get(end)? {
                b'"' => break,
                b'\\' => end = end.saturating_add(2),
                _ => end = end.saturating_add(1),
            }
        }
        self.at = end.saturating_add(1);
        self.text.get(start..end)
    }

    /// Passes over one value.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                    if depth == 0 {
                        return Some(());
                    }
                    continue;
                }
                b'{' | b'[' => depth = depth.saturating_add(1),
                b'}' | b']' if depth == 0 => return Some(()),
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.at = self.at.saturating_add(1);
                        return Some(());
                    }
                }
                b',' if depth == 0 => return Some(()),
                _ => {}
            }
            self.at = self.at.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{PARAMETERS, Said, parameters};

    fn heard(schema: &Value) -> Vec<String> {
        let mut heard = Vec::new();
        parameters(&schema.to_string(), &mut |said, text| {
            heard.push(format!("{}{text}", if said == Said::Name { "" } else { "- " }));
        });
        heard
    }

    #[test]
    fn parameters_are_told_with_their_descriptions_three_levels_deep() {
        let deep =
            json!({"properties": {"d": {"description": "\"D\"", "properties": {"e": true}}}});
        let schema = json!({
            "description": "the whole",
            "properties": {
                "a": {"description": "A", "items": {"description": "no", "properties": {"b": {}}}},
                "description": {"description": ["none"], "properties": {"c": deep}},
                "items": false, "properties": {"type": ["null", "number"], "default": [1.5, -1, null, {}]},
            },
        });
        assert_eq!(
            heard(&schema),
            ["a", "- A", "b", "description", "c", "d", "- \"D\"", "items", "properties"]
        );
    }

    #[test]
    fn what_names_no_parameters_tells_of_none() {
        for schema in [
            json!(true),
            json!({}),
            json!({"items": [{"properties": {"a": {}}}]}),
            json!({"type": "string"}),
        ] {
            assert_eq!(heard(&schema), [""; 0], "{schema}");
        }
    }

    #[test]
    fn only_the_first_parameters_count() {
        let properties: serde_json::Map<_, _> =
            (0..100).map(|at| (format!("p{at}"), json!({}))).collect();
        let heard =
            heard(&json!({"properties": {"first": {"properties": properties}, "last": {}}}));
        assert_eq!(heard.len(), PARAMETERS);
    }
}
