//! Which distributed trace a call belongs to.
//!
//! Owns the header's text, in and out. Doesn't own where traces are kept: what is here
//! goes to the log line of an execution and to the servers that its calls ask.
//!
//! Spec: W3C Trace Context, level 1, `traceparent`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The flag that says that somebody records the trace.
const RECORDED: u8 = 1;

/// A place in a trace: the trace, and the span that what follows is a child of.
///
/// ```
/// use mycelium::operation::Trace;
///
/// let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// let trace = Trace::read(text).unwrap();
/// assert_eq!(trace.to_string(), text);
///
/// let execution = "0000000000000001000000000000000a";
/// let within = Trace::of_execution(execution, Some(trace));
/// assert_eq!(within.to_string(), "00-4bf92f3577b34da6a3ce929d0e0e4736-000000000000000a-01");
/// assert_eq!(Trace::of_execution(execution, None).id(), execution);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Trace {
    id: u128,
    span: u64,
    flags: u8,
}

impl Trace {
    /// The name of the header, and of the key in a message's `_meta`.
    pub const HEADER: &'static str = "traceparent";

    /// Reads the header; none for a text that is no place in a trace, which is then ignored
    /// as the standard asks.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let version = parts.next().filter(|version| is_hex(version, 2) && *version != "ff")?;
        let id = parts.next().filter(|id| is_hex(id, 32))?;
        let span = parts.next().filter(|span| is_hex(span, 16))?;
        let flags = parts.next().filter(|flags| is_hex(flags, 2))?;
        // A later version may say more after what this one knows.
        if version == "00" && parts.next().is_some() {
            return None;
        }
        let id = u128::from_str_radix(id, 16).ok().filter(|id| *id != 0)?;
        let span = u64::from_str_radix(span, 16).ok().filter(|span| *span != 0)?;
        let flags = u8::from_str_radix(flags, 16).ok()? & RECORDED;
        Some(Self { id, span, flags })
    }

    /// The span of an execution, in the trace of whoever asked for it or in one that begins
    /// with it. The execution's id is 128 random bits, so it names both: a trace by the
    /// whole, a span by its second half.
    #[must_use]
    pub fn of_execution(execution_id: &str, within: Option<Self>) -> Self {
        let bits = u128::from_str_radix(execution_id, 16).unwrap_or_default();
        let [.., a, b, c, d, e, f, g, h] = bits.to_be_bytes();
        // Nothing but zeros is no trace, and no span.
        let span = u64::from_be_bytes([a, b, c, d, e, f, g, h]).max(1);
        let begun = Self { id: bits.max(1), span, flags: RECORDED };
        within.map_or(begun, |trace| Self { span, ..trace })
    }

    /// The trace, as 32 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{:032x}", self.id)
    }

    /// The span, as 16 hexadecimal digits.
    #[must_use]
    pub fn span(&self) -> String {
        format!("{:016x}", self.span)
    }

    /// Says it in the headers of a request, unless they have one of this name.
    pub fn put(&self, headers: &mut Vec<(String, String)>) {
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(Self::HEADER)) {
            headers.push((Self::HEADER.to_owned(), self.to_string()));
        }
    }
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The header's text.
impl fmt::Display for Trace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "00-{:032x}-{:016x}-{:02x}", self.id, self.span, self.flags)
    }
}

impl From<Trace> for String {
    fn from(trace: Trace) -> Self {
        trace.to_string()
    }
}

impl TryFrom<String> for Trace {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::read(&text).ok_or("no place in a trace")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::Trace;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn what_is_no_place_in_a_trace_is_ignored() {
        let bad = [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ];
        for text in bad {
            assert_eq!(Trace::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_later_version_is_read_as_far_as_it_is_known() {
        let later =
            format!("{}-more", GOOD.replacen("00", "01", 1)).replace("-01-more", "-03-more");
        assert_eq!(Trace::read(&later).unwrap().to_string(), GOOD);
    }

    #[test]
    fn a_request_says_it_once() {
        let trace = Trace::read(GOOD).unwrap();
        let mut headers = vec![("Traceparent".to_owned(), "its own".to_owned())];
        trace.put(&mut headers);
        assert_eq!(headers.len(), 1);
        headers.clear();
        trace.put(&mut headers);
        assert_eq!(headers, [("traceparent".to_owned(), GOOD.to_owned())]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(bits in any::<u128>()) {
            let trace = Trace::of_execution(&format!("{bits:032x}"), None);
            prop_assert_eq!(Trace::read(&trace.to_string()), Some(trace));
            let within = Trace::of_execution("nothing", Some(trace));
            prop_assert_eq!(Trace::read(&within.to_string()), Some(within));
        }
    }
}
