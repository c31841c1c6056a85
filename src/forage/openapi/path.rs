//! Path templates, and the paths made of them.
//!
//! Owns the rule that a path leads to where its template says: it can't leave the
//! server, nor its place in it.

use std::fmt::Write as _;

/// A path with placeholders, safe whatever is put into them by [`Template::fill`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    segments: Vec<Vec<Piece>>,
}

/// A piece of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// As it is sent.
    Text(String),
    /// The parameter of this name.
    Parameter(String),
}

/// Why a value can't stand in its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// No value was given for the parameter.
    Missing(String),
    /// With the parameters given, the segment would be empty, `.` or `..`.
    Leads(String),
}

impl Template {
    /// Reads a template; none when it could lead elsewhere or isn't one.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let path = path.strip_prefix('/')?;
        let segments: Option<Vec<_>> = path.split('/').map(pieces).collect();
        let segments = segments?;
        let last = segments.len().saturating_sub(1);
        // `/` alone, and an ending slash, are paths as any other.
        let empty = segments.iter().position(Vec::is_empty);
        if empty.is_some_and(|at| at != last) {
            return None;
        }
        Some(Self { segments })
    }

    /// The names of its placeholders, in order.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flatten().filter_map(|piece| match piece {
            Piece::Parameter(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// How many segments a path made of it has.
    pub(crate) fn segments(&self) -> usize {
        self.segments.len()
    }

    /// The path with `value` in the place of each placeholder, percent-encoded already.
    ///
    /// # Errors
    ///
    /// A value is missing, or would lead elsewhere.
    pub(crate) fn fill(&self, value: impl Fn(&str) -> Option<String>) -> Result<String, Misfit> {
        let mut path = String::new();
        for pieces in &self.segments {
            path.push('/');
            let start = path.len();
            let mut named = None;
            for piece in pieces {
                match piece {
                    Piece::Text(text) => path.push_str(text),
                    Piece::Parameter(name) => {
                        let value = value(name).ok_or_else(|| Misfit::Missing(name.clone()))?;
                        path.push_str(&value);
                        named = Some(name);
                    }
                }
            }
            let segment = path.get(start..).unwrap_or_default();
            if let Some(name) = named.filter(|_| segment.is_empty() || is_dots(segment)) {
                return Err(Misfit::Leads(name.clone()));
            }
        }
        Ok(path)
    }
}

/// The pieces of one segment; an empty segment has none.
fn pieces(segment: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = segment;
    while let Some((text, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        if name.is_empty() || name.contains('{') {
            return None;
        }
        push_text(&mut pieces, text)?;
        pieces.push(Piece::Parameter(name.to_owned()));
        rest = after;
    }
    push_text(&mut pieces, rest)?;
    match pieces.as_slice() {
        [Piece::Text(text)] if is_dots(text) => None,
        _ => Some(pieces),
    }
}

/// Adds a text as it is sent; none when it could lead elsewhere.
fn push_text(pieces: &mut Vec<Piece>, text: &str) -> Option<()> {
    if !is_plain(text) {
        return None;
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(sent(text)));
    }
    Some(())
}

/// Whether a text stays within its segment however it is decoded.
fn is_plain(text: &str) -> bool {
    let outside = |letter: char| {
        matches!(letter, '?' | '#' | '\\' | '}') || letter.is_control() || letter.is_whitespace()
    };
    if text.contains(outside) {
        return false;
    }
    let mut parts = text.split('%');
    parts.next();
    parts.all(|part| {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let digits = part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
        // An encoded slash, backslash, percent sign or control character means one thing
        // here and perhaps another there.
        digits && code.is_some_and(|code| !matches!(code, b'/' | b'\\' | b'%' | 0..=0x1f | 0x7f))
    })
}

/// The text with what a URL can't say percent-encoded, and nothing encoded twice.
fn sent(text: &str) -> String {
    let mut sent = String::with_capacity(text.len());
    for letter in text.chars() {
        // RFC 3986, "pchar", with the percent signs that are there.
        if letter.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@%".contains(letter) {
            sent.push(letter);
        } else {
            encode_letter(letter, &mut sent);
        }
    }
    sent
}

/// Whether a segment means this place or the one above it.
pub(crate) fn is_dots(segment: &str) -> bool {
    let plain = segment.to_ascii_lowercase().replace("%2e", ".");
    matches!(plain.as_str(), "." | "..")
}

/// Percent-encodes everything but the unreserved characters of RFC 3986.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() || "-._~".contains(letter) {
            encoded.push(letter);
        } else {
            encode_letter(letter, &mut encoded);
        }
    }
    encoded
}

fn encode_letter(letter: char, encoded: &mut String) {
    for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
        // Writing to a string can't fail.
        let _ = write!(encoded, "%{byte:02X}");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Misfit, Template, encode};

    #[test]
    fn a_template_that_could_lead_elsewhere_is_refused() {
        for path in [
            "",
            "a",
            "//a",
            "/a//b",
            "/.",
            "/a/..",
            "/../a",
            "/%2e",
            "/a/%2E%2e/b",
            "/.%2e",
            "/a?b=c",
            "/a#b",
            "/a%2fb",
            "/a%2Fb",
            "/a%5cb",
            "/a\\b",
            "/a b",
            "/a%",
            "/a%2",
            "/a%zz",
            "/a%25b",
            "/a%0d",
            "/{a",
            "/a}",
            "/{}",
            "/{a{b}}",
            "/a\nb",
            "/{a}?b={b}",
            "/%é",
        ] {
            assert_eq!(Template::parse(path), None, "{path:?}");
        }
        for path in
            ["/", "/a", "/a/", "/a/{b}", "/{a}.{b}", "/a:{b}", "/{a}/{a}", "/%41", "/é", "/..."]
        {
            assert!(Template::parse(path).is_some(), "{path:?}");
        }
    }

    fn filled(path: &str, value: &str) -> Result<String, Misfit> {
        Template::parse(path).unwrap().fill(|_| Some(encode(value)))
    }

    #[test]
    fn a_value_stays_in_its_segment() {
        for (value, expected) in [
            ("a/b", "/u/a%2Fb"),
            ("%2e%2e", "/u/%252e%252e"),
            ("a?b#c", "/u/a%3Fb%23c"),
            ("...", "/u/..."),
            ("é 😀", "/u/%C3%A9%20%F0%9F%98%80"),
            ("\\", "/u/%5C"),
            ("\r\n", "/u/%0D%0A"),
        ] {
            assert_eq!(filled("/u/{id}", value).as_deref(), Ok(expected));
        }
        for value in ["", ".", ".."] {
            assert_eq!(filled("/u/{id}", value), Err(Misfit::Leads("id".to_owned())), "{value:?}");
        }
        assert_eq!(filled("/u/.{id}", "."), Err(Misfit::Leads("id".to_owned())));
        assert_eq!(filled("/u/f{id}", "..").as_deref(), Ok("/u/f.."));
        let template = Template::parse("/u/{id}").unwrap();
        assert_eq!(template.fill(|_| None), Err(Misfit::Missing("id".to_owned())));
    }

    #[test]
    fn a_placeholder_that_occurs_twice_is_filled_twice() {
        assert_eq!(filled("/a/{a}/{a}", "1").as_deref(), Ok("/a/1/1"));
    }

    proptest! {
        #[test]
        fn every_path_has_as_many_segments_as_its_template(
            path in "(/[a-z.%2eF{}]{0,6}){1,4}",
            value in "\\PC{0,6}",
        ) {
            if let Some(template) = Template::parse(&path)
                && let Ok(made) = template.fill(|_| Some(encode(&value)))
            {
                prop_assert_eq!(made.matches('/').count(), template.segments());
                let url = url::Url::parse(&format!("https://a.example{made}")).unwrap();
                prop_assert_eq!(url.path(), made.as_str());
                prop_assert_eq!(url.origin().ascii_serialization(), "https://a.example");
                prop_assert_eq!((url.query(), url.fragment()), (None, None));
            }
        }
    }
}
