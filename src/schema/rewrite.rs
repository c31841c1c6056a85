//! A JSON text in its canonical spelling, made while it is read.
//!
//! Owns tokens and the order of keys; reads nothing into values. What is spelled in a way
//! that would have to be understood to be spelled canonically, such as `1e2` or `\u0041`,
//! ends the reading: then the text is read into a value and written anew.

/// The digits of an integer that is sure to stay as it is written.
const SURE_DIGITS: usize = 18;

/// Members for which there is room from the start.
const MEMBERS: usize = 24;

/// A text being read, and what of it is rewritten.
pub(super) struct Rewriter<'t> {
    text: &'t str,
    at: usize,
    /// From here to `at` is still to be copied.
    pending: usize,
    out: String,
    /// The members so far of all maps that are open.
    members: Vec<Member<'t>>,
    scratch: String,
    /// Whether the text is canonical already: then nothing is copied.
    is_canonical: bool,
    /// Whether the last string has an escape.
    has_escape: bool,
}

/// A member of a map, by its place in what is written.
struct Member<'t> {
    key: &'t str,
    start: usize,
    end: usize,
}

/// A map that is being read.
pub(super) struct Map<'t> {
    /// Where its first member is, or would be, in what is written.
    inside: usize,
    /// How many members the maps around it have so far.
    around: usize,
    /// The key of the last member, and where it began; none before the first.
    last: Option<(&'t str, usize)>,
    is_sorted: bool,
}

/// A list that is being read.
#[derive(Default)]
pub(super) struct List {
    has_items: bool,
}

impl<'t> Rewriter<'t> {
    pub(super) fn new(text: &'t str, is_canonical: bool) -> Self {
        let (bytes, members) = if is_canonical { (0, 0) } else { (text.len(), MEMBERS) };
        let (out, members) = (String::with_capacity(bytes), Vec::with_capacity(members));
        let scratch = String::new();
        let (at, pending, has_escape) = (0, 0, false);
        let mut read = Self { text, at, pending, out, members, scratch, is_canonical, has_escape };
        read.blank();
        read
    }

    /// What was written, when the text ends here.
    pub(super) fn end(mut self) -> Option<String> {
        self.blank();
        if self.peek().is_some() {
            return None;
        }
        self.flush()?;
        Some(self.out)
    }

    /// The byte that comes next.
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes exactly this.
    pub(super) fn take(&mut self, word: &str) -> Option<()> {
        let is_next = self.text.as_bytes().get(self.at..)?.starts_with(word.as_bytes());
        self.at = self.at.saturating_add(word.len());
        is_next.then_some(())
    }

    /// Takes this one byte.
    fn byte(&mut self, byte: u8) -> Option<()> {
        let is_next = self.peek() == Some(byte);
        self.at = self.at.saturating_add(1);
        is_next.then_some(())
    }

    /// Takes a string, and gives what stands between its quotes.
    pub(super) fn string(&mut self) -> Option<&'t str> {
        let (text, is_canonical) = (self.text, self.is_canonical);
        let bytes = text.as_bytes();
        if bytes.get(self.at) != Some(&b'"') {
            return None;
        }
        let start = self.at.saturating_add(1);
        let mut end = start;
        self.has_escape = false;
        loop {
            match bytes.get(end)? {
                b'"' => break,
                b'\\' => {
                    let escaped = bytes.get(end.saturating_add(1))?;
                    if !is_canonical && !b"\"\\bfnrt".contains(escaped) {
                        return None;
                    }
                    self.has_escape = true;
                    end = end.saturating_add(2);
                }
                0..=0x1f => return None,
                _ => end = end.saturating_add(1),
            }
        }
        self.at = end.saturating_add(1);
        text.get(start..end)
    }

    /// Takes a number, and gives it as it is written.
    pub(super) fn number(&mut self) -> Option<&'t str> {
        let text = self.text;
        let mut end = self.at;
        while let Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') = text.as_bytes().get(end) {
            end = end.saturating_add(1);
        }
        let number = text.get(self.at..end)?;
        self.at = end;
        (self.is_canonical || is_sure(number)).then_some(number)
    }

    /// Begins a map.
    pub(super) fn map(&mut self) -> Option<Map<'t>> {
        self.byte(b'{')?;
        let (inside, around) = (self.place(), self.members.len());
        Some(Map { inside, around, last: None, is_sorted: true })
    }

    /// The key of the map's next member, whose value comes next; none at its end.
    pub(super) fn key(&mut self, map: &mut Map<'t>) -> Option<Option<&'t str>> {
        self.blank();
        self.keep(map);
        if self.peek()? == b'}' {
            self.order(map)?;
            self.at = self.at.saturating_add(1);
            return Some(None);
        }
        if map.last.is_some() {
            self.byte(b',')?;
            self.blank();
        }
        let start = self.place();
        let key = self.string()?;
        if !self.is_canonical {
            if self.has_escape {
                return None;
            }
            map.is_sorted &= map.last.is_none_or(|(last, _)| last < key);
        }
        map.last = Some((key, start));
        self.blank();
        self.byte(b':')?;
        self.blank();
        Some(Some(key))
    }

    /// Begins a list.
    pub(super) fn list(&mut self) -> Option<List> {
        self.byte(b'[').map(|()| List::default())
    }

    /// Whether the list has another item, which comes next.
    pub(super) fn item(&mut self, list: &mut List) -> Option<bool> {
        self.blank();
        if self.peek()? == b']' {
            self.at = self.at.saturating_add(1);
            return Some(false);
        }
        if list.has_items {
            self.byte(b',')?;
            self.blank();
        }
        list.has_items = true;
        Some(true)
    }

    /// Remembers the member that ends here.
    fn keep(&mut self, map: &Map<'t>) {
        if let Some((key, start)) = map.last
            && !self.is_canonical
        {
            self.members.push(Member { key, start, end: self.place() });
        }
    }

    /// Puts the members of a map that ends here into the order of their keys; none when a key
    /// is there twice.
    fn order(&mut self, map: &Map<'t>) -> Option<()> {
        if !map.is_sorted {
            self.flush()?;
            self.scratch.clear();
            // At once as much as the widest map needs.
            self.scratch.reserve(self.out.capacity());
            self.scratch.push_str(self.out.get(map.inside..)?);
            self.out.truncate(map.inside);
            let members = self.members.get_mut(map.around..)?;
            members.sort_unstable_by_key(|member| member.key);
            let mut before: Option<&str> = None;
            for Member { key, start, end } in members {
                if before == Some(key) {
                    return None;
                }
                if before.is_some() {
                    self.out.push(',');
                }
                before = Some(key);
                let place = start.checked_sub(map.inside)?..end.checked_sub(map.inside)?;
                self.out.push_str(self.scratch.get(place)?);
            }
        }
        self.members.truncate(map.around);
        Some(())
    }

    /// Passes over what stands between tokens.
    fn blank(&mut self) {
        if !self.peek().is_some_and(is_blank) {
            return;
        }
        // It ends with a token: what can't be copied is no text, and ends the reading later.
        let _ = self.flush();
        while self.peek().is_some_and(is_blank) {
            self.at = self.at.saturating_add(1);
        }
        self.pending = self.at;
    }

    /// Where in what is written the next token goes.
    fn place(&self) -> usize {
        self.out.len().saturating_add(self.at.saturating_sub(self.pending))
    }

    fn flush(&mut self) -> Option<()> {
        if !self.is_canonical {
            self.out.push_str(self.text.get(self.pending..self.at)?);
            self.pending = self.at;
        }
        Some(())
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Whether a number is an integer that is written as it would be written anew.
fn is_sure(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number).as_bytes();
    let is_short = (1..=SURE_DIGITS).contains(&digits.len());
    let starts = digits.first() != Some(&b'0') || number == "0";
    is_short && starts && digits.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::Rewriter;
    use crate::{
        json::{self, canonical},
        schema::Schema,
    };

    /// Any JSON text, as canonical text.
    fn rewritten(text: &str) -> Option<String> {
        let mut read = Rewriter::new(text, false);
        value(&mut read)?;
        read.end()
    }

    fn value(read: &mut Rewriter<'_>) -> Option<()> {
        match read.peek()? {
            b'{' => {
                let mut map = read.map()?;
                while read.key(&mut map)?.is_some() {
                    value(read)?;
                }
                Some(())
            }
            b'[' => {
                let mut list = read.list()?;
                while read.item(&mut list)? {
                    value(read)?;
                }
                Some(())
            }
            b'"' => read.string().map(drop),
            b'n' => read.take("null"),
            b't' => read.take("true"),
            b'f' => read.take("false"),
            _ => read.number().filter(|number| !number.is_empty()).map(drop),
        }
    }

    #[test]
    fn keys_are_ordered_and_blanks_left_out() {
        for (text, expected) in [
            ("  7 ", "7"),
            ("[ ]", "[]"),
            ("{ }", "{}"),
            (
                r#"{"b":[1, -2,"x y"] , "a" : {"d":null,"c":true}}"#,
                r#"{"a":{"c":true,"d":null},"b":[1,-2,"x y"]}"#,
            ),
            (
                "\t{\"é\" :\n\"\\n\\\"\",\"e\":{},\"\":\"😀\"\r\n}",
                "{\"\":\"😀\",\"e\":{},\"é\":\"\\n\\\"\"}",
            ),
            (
                r#"[{"b":1,"a":{"y":2,"x":3}},{"z":{},"k":[]}]"#,
                r#"[{"a":{"x":3,"y":2},"b":1},{"k":[],"z":{}}]"#,
            ),
        ] {
            assert_eq!(rewritten(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_would_have_to_be_understood_ends_the_reading() {
        for text in [
            "1.0",
            "1e2",
            "-0",
            "01",
            "-",
            "1234567890123456789",
            r#""\u0041""#,
            r#""\/""#,
            r#"{"\n":1}"#,
        ] {
            assert_eq!(rewritten(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_never_rewritten() {
        for text in [
            "",
            " ",
            "{",
            "[",
            "[1",
            "[1,]",
            "[,1]",
            "[1 2]",
            r#"{"a":1,}"#,
            r#"{"a" 1}"#,
            "{,}",
            r#"{"a":1 "b":2}"#,
            r#"{"a":1,"a":1}"#,
            r#"{"b":1,"a":1,"b":2}"#,
            "nul",
            "truefalse",
            "1 2",
            "\"a",
            "\"\\\"",
            "\"\u{1}\"",
            r#""\x""#,
            "{1:2}",
            "'a'",
            "\u{feff}1",
            "{}}",
        ] {
            assert_eq!(rewritten(text), None, "{text}");
            assert!(json::parse(text).is_err(), "{text}");
        }
    }

    /// Values as sources write them.
    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,4}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec(("[a-cé\"]{0,2}", inner), 0..5)
                    .prop_map(|all| Value::Object(all.into_iter().collect())),
            ]
        })
    }

    /// The text of a value with the keys of each map turned round.
    fn turned(value: &Value) -> String {
        match value {
            Value::Array(items) => {
                format!("[{}]", items.iter().map(turned).collect::<Vec<_>>().join(" ,"))
            }
            Value::Object(map) => {
                let member =
                    |(key, item): (&String, &Value)| format!("{} :{}", json!(key), turned(item));
                format!("{{{}}}", map.iter().rev().map(member).collect::<Vec<_>>().join(", "))
            }
            leaf => leaf.to_string(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn a_text_is_rewritten_as_its_value_is_written(value in values()) {
            for text in [turned(&value), value.to_string()] {
                if let Some(text) = rewritten(&text) {
                    prop_assert_eq!(text, canonical(&value));
                }
            }
        }

        #[test]
        fn what_is_rewritten_is_json(text in r#"[\[\]{}",: \\a01.n-]{0,12}"#) {
            if let Some(written) = rewritten(&text) {
                let value = json::parse(&text);
                prop_assert_eq!(value.map(|value| canonical(&value)), Ok(written));
            }
        }

        #[test]
        fn a_schema_is_the_same_from_text_and_from_value(value in values(), more in values()) {
            let document = json!({"properties": {"a": {"default": value}}, "const": more});
            let (new, parsed) = (Schema::new(document.clone()), Schema::parse(&turned(&document)));
            prop_assert_eq!(new.map(|schema| schema.text().to_owned()),
                parsed.map(|schema| schema.text().to_owned()));
        }
    }
}
