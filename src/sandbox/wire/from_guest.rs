//! Frames the guest sends. The guest is hostile: everything is checked.

use serde::Deserialize;
use serde_json::value::RawValue;

/// A frame the protocol doesn't have; names the broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken(pub &'static str);

/// One frame, with values left as JSON text.
#[derive(Debug, PartialEq)]
pub enum FromGuest<'a> {
    /// Call the operation at `index`.
    Call {
        /// The call's position, allotted when the program called.
        ordinal: u64,
        /// The operation.
        index: usize,
        /// JSON text; none when the call had no argument.
        input: Option<&'a str>,
    },
    /// A call that failed in the guest because JSON can't say its input.
    Void {
        /// The call's position.
        ordinal: u64,
        /// The operation.
        index: usize,
        /// What can't be said.
        problem: Unsayable,
    },
    /// Ask a helper of discovery.
    Forage {
        /// Which question this is, counted from 0.
        id: u64,
        /// The helper's name.
        helper: String,
        /// JSON text; none when the call had no argument.
        input: Option<&'a str>,
    },
    /// A printed line.
    Log {
        /// `debug`, `log`, `info`, `warn` or `error`.
        level: String,
        /// The text.
        text: String,
    },
    /// The program ended; none when it returned nothing.
    Done(Option<&'a str>),
    /// The program failed.
    Failed(GuestFailure),
}

/// A value that JSON can't say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Unsayable {
    /// Where in the value.
    pub path: String,
    /// What is there.
    pub found: String,
    /// What to do instead.
    pub remedy: String,
}

/// How the guest says a program failed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GuestFailure {
    /// It threw.
    GuestException {
        /// The error's name.
        name: String,
        /// The error's message.
        message: String,
        /// Positions in the program's module, innermost first: line, column, function.
        #[serde(default)]
        frames: Vec<(u32, u32, String)>,
    },
    /// It let the failure of its call at `ordinal` through.
    Call {
        /// The call's position.
        ordinal: u64,
    },
    /// It let the failure of a helper of discovery through.
    Forage {
        /// The failure's code.
        code: String,
        /// Its message.
        message: String,
    },
    /// It said a name that no operation has.
    OperationUnknown {
        /// The name.
        path: String,
        /// Names like it.
        nearest: Vec<String>,
    },
    /// Its answer can't be said in JSON.
    ResultInvalid(Unsayable),
    /// Its answer is over the limit.
    ResultTooLarge {
        /// Size in bytes.
        bytes: usize,
        /// The shape of the answer.
        outline: String,
    },
    /// It made too many calls.
    CallBudgetExceeded,
    /// It doesn't speak this version.
    BadProtocol,
}

impl<'a> FromGuest<'a> {
    /// Reads one frame.
    ///
    /// # Errors
    ///
    /// [`Broken`] with the rule that the frame breaks.
    pub fn read(frame: &'a str) -> Result<Self, Broken> {
        let parts: Vec<&RawValue> =
            serde_json::from_str(frame).map_err(|_| Broken("a frame is a JSON array"))?;
        let parts: Vec<&str> = parts.into_iter().map(RawValue::get).collect();
        match parts.as_slice() {
            [r#""call""#, ordinal, index] => call(ordinal, index, None),
            [r#""call""#, ordinal, index, input] => call(ordinal, index, Some(input)),
            [r#""void""#, ordinal, index, problem] => Ok(Self::Void {
                ordinal: position(ordinal)?,
                index: position(index)?,
                problem: decode(problem, "a void frame says path, found and remedy")?,
            }),
            [r#""forage""#, id, helper] => forage(id, helper, None),
            [r#""forage""#, id, helper, input] => forage(id, helper, Some(input)),
            [r#""log""#, level, text] => Ok(Self::Log {
                level: decode(level, "a log level is a string")?,
                text: decode(text, "a log text is a string")?,
            }),
            [r#""done""#] => Ok(Self::Done(None)),
            [r#""done""#, value] => Ok(Self::Done(Some(value))),
            [r#""failed""#, failure] => {
                Ok(Self::Failed(decode(failure, "a failed frame says its kind and facts")?))
            }
            _ => Err(Broken("no frame has this name and length")),
        }
    }
}

fn call<'a>(ordinal: &str, index: &str, input: Option<&'a str>) -> Result<FromGuest<'a>, Broken> {
    Ok(FromGuest::Call { ordinal: position(ordinal)?, index: position(index)?, input })
}

fn forage<'a>(id: &str, helper: &str, input: Option<&'a str>) -> Result<FromGuest<'a>, Broken> {
    let rule = "a question's id is f and a whole number";
    let id: String = decode(id, rule)?;
    let id = id.strip_prefix('f').and_then(|id| id.parse().ok()).ok_or(Broken(rule))?;
    Ok(FromGuest::Forage { id, helper: decode(helper, "a helper's name is a string")?, input })
}

fn position<T: std::str::FromStr>(text: &str) -> Result<T, Broken> {
    text.parse().map_err(|_| Broken("ordinal and index are whole numbers"))
}

fn decode<'a, T: Deserialize<'a>>(text: &'a str, rule: &'static str) -> Result<T, Broken> {
    serde_json::from_str(text).map_err(|_| Broken(rule))
}

#[cfg(test)]
mod tests {
    use super::{Broken, FromGuest, GuestFailure};

    #[test]
    fn values_are_handed_on_as_text() {
        let call = FromGuest::read(r#"["call",0,3,{"a": [1, 2]}]"#);
        let expected = FromGuest::Call { ordinal: 0, index: 3, input: Some(r#"{"a": [1, 2]}"#) };
        assert_eq!(call, Ok(expected));
        assert_eq!(FromGuest::read(r#"["done",null]"#), Ok(FromGuest::Done(Some("null"))));
        assert_eq!(FromGuest::read(r#"["done"]"#), Ok(FromGuest::Done(None)));
    }

    #[test]
    fn a_forged_frame_names_the_rule_it_breaks() {
        let array = Broken("a frame is a JSON array");
        let shape = Broken("no frame has this name and length");
        let number = Broken("ordinal and index are whole numbers");
        let cases = [
            ("", array),
            ("{}", array),
            ("[1", array),
            ("[]", shape),
            (r#"["call"]"#, shape),
            (r#"["reply",0,1]"#, shape),
            (r#"["call",-1,0,{}]"#, number),
            (r#"["call",1.5,0,{}]"#, number),
            (r#"["call","0",0,{}]"#, number),
            (r#"["call",18446744073709551616,0]"#, number),
            (r#"["forage",0,"list"]"#, Broken("a question's id is f and a whole number")),
            (r#"["forage","g0","list"]"#, Broken("a question's id is f and a whole number")),
            (r#"["forage","f-1","list"]"#, Broken("a question's id is f and a whole number")),
            (r#"["forage","f0",1]"#, Broken("a helper's name is a string")),
            (r#"["log",1,"x"]"#, Broken("a log level is a string")),
            (r#"["failed",{"kind":"success"}]"#, Broken("a failed frame says its kind and facts")),
        ];
        for (frame, broken) in cases {
            assert_eq!(FromGuest::read(frame), Err(broken), "{frame}");
        }
    }

    #[test]
    fn a_failure_carries_its_facts() {
        let frame = r#"["failed",{"kind":"call","ordinal":2,"more":1}]"#;
        let failed = FromGuest::Failed(GuestFailure::Call { ordinal: 2 });
        assert_eq!(FromGuest::read(frame), Ok(failed));
    }
}
