//! What pages are sent and what they send, as text.

use std::fmt;

use serde_json::{Map, Value, json};

use super::exchange::{Ask, Attached};
use crate::{json, limits::BROWSER_BODY_BYTES};

/// Milliseconds after which a page comes back to a stream that was cut.
const RETRY_MS: u64 = 1_000;

/// One event of a page's stream.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// The stream is open.
    Open {
        /// The page's name.
        client: String,
        /// What the page has claimed and is still waited for.
        claimed: Vec<u64>,
    },
    /// Something is asked. What a command is given isn't said here: whoever claims it is told.
    Request {
        /// Its number.
        id: u64,
        /// The command; none when the commands themselves are asked for.
        command: Option<String>,
    },
    /// Nobody waits for it any more.
    Withdrawn {
        /// Its number.
        id: u64,
    },
}

impl Event {
    /// The event that asks for `ask`.
    pub(super) fn request(id: u64, ask: &Ask) -> Self {
        let command = match ask {
            Ask::Discover => None,
            Ask::Execute { command, .. } => Some(command.clone()),
        };
        Self::Request { id, command }
    }

    /// The event that opens a stream.
    pub(super) fn open(attached: &Attached) -> Self {
        Self::Open { client: attached.client.clone(), claimed: attached.claimed.clone() }
    }

    /// The event as it is written.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Open { client, claimed } => {
                let claimed: Vec<String> = claimed.iter().map(u64::to_string).collect();
                let data = json!({"client": client, "claimed": claimed});
                format!("id: {client}\nretry: {RETRY_MS}\nevent: open\ndata: {data}\n\n")
            }
            Self::Request { id, command: None } => {
                let data = json!({"request": id.to_string(), "kind": "discover"});
                format!("event: request\ndata: {data}\n\n")
            }
            Self::Request { id, command: Some(command) } => {
                let data =
                    json!({"request": id.to_string(), "kind": "execute", "command": command});
                format!("event: request\ndata: {data}\n\n")
            }
            Self::Withdrawn { id } => {
                let data = json!({"request": id.to_string()});
                format!("event: withdrawn\ndata: {data}\n\n")
            }
        }
    }
}

/// A body that isn't what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Malformed(String);

impl fmt::Display for Malformed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A page wants a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Claim {
    /// The page's name.
    pub(super) client: String,
    /// The request's number.
    pub(super) request: u64,
    /// What the page says of the command.
    pub(super) said: Said,
}

/// What a claim says of the command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    /// Nothing: it is no command that is asked for.
    Nothing,
    /// How it declares it.
    Declares(Value),
    /// That it has none of this name, but these.
    Knows(Vec<String>),
}

/// A page's result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sent {
    /// The page's name.
    pub(super) client: String,
    /// The request's number.
    pub(super) request: u64,
    /// What it was given when it claimed the request.
    pub(super) claim: String,
    /// What came of it.
    pub(super) outcome: Outcome,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// This.
    Value(Value),
    /// It failed, in the app's words.
    Failed(String),
    /// The page is being left and can't tell.
    Gone,
}

impl Claim {
    /// Reads a body.
    pub(super) fn read(body: &str) -> Result<Self, Malformed> {
        let mut fields = fields(body)?;
        let claim = Self {
            client: text(&mut fields, "client")?,
            request: number(&mut fields)?,
            said: match (fields.remove("declaration"), fields.remove("known")) {
                (None, None) => Said::Nothing,
                (Some(declaration), None) => Said::Declares(declaration),
                (None, Some(known)) => Said::Knows(texts(known)?),
                (Some(_), Some(_)) => {
                    return Err(wrong("send either declaration or known, not both"));
                }
            },
        };
        nothing_else(&fields).map(|()| claim)
    }
}

impl Sent {
    /// Reads a body.
    pub(super) fn read(body: &str) -> Result<Self, Malformed> {
        let mut fields = fields(body)?;
        let (client, request) = (text(&mut fields, "client")?, number(&mut fields)?);
        let claim = text(&mut fields, "claim")?;
        let said = (fields.remove("value"), fields.remove("error"), fields.remove("gone"));
        let outcome = match said {
            (Some(value), None, None) => Outcome::Value(value),
            (None, Some(Value::Object(mut error)), None) => {
                let message = text(&mut error, "message")?;
                nothing_else(&error)?;
                Outcome::Failed(message)
            }
            (None, None, Some(Value::Bool(true))) => Outcome::Gone,
            _ => {
                return Err(wrong(
                    "send one of value, error with a message, and gone, which is true",
                ));
            }
        };
        nothing_else(&fields)?;
        Ok(Self { client, request, claim, outcome })
    }
}

fn wrong(problem: &str) -> Malformed {
    Malformed(problem.to_owned())
}

fn fields(body: &str) -> Result<Map<String, Value>, Malformed> {
    if body.len() > BROWSER_BODY_BYTES {
        return Err(wrong(&format!(
            "the body has more than {BROWSER_BODY_BYTES} bytes: send less"
        )));
    }
    match json::parse(body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(wrong("the body is no object: send one")),
        Err(error) => Err(wrong(&format!("the body is no JSON: {error}"))),
    }
}

fn text(fields: &mut Map<String, Value>, key: &str) -> Result<String, Malformed> {
    match fields.remove(key) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(wrong(&format!("{key} is no text: send one"))),
    }
}

fn texts(value: Value) -> Result<Vec<String>, Malformed> {
    serde_json::from_value(value).map_err(|_| wrong("known is no list of texts: send one"))
}

fn number(fields: &mut Map<String, Value>) -> Result<u64, Malformed> {
    let said = text(fields, "request")?;
    let digits = !said.is_empty() && said.bytes().all(|byte| byte.is_ascii_digit());
    let number = said.parse().ok().filter(|_| digits);
    number.ok_or_else(|| wrong("request is none of this host's numbers: send it as it came"))
}

fn nothing_else(fields: &Map<String, Value>) -> Result<(), Malformed> {
    match fields.keys().next() {
        None => Ok(()),
        Some(key) => {
            let key = crate::failure::bounded(key, 64);
            Err(wrong(&format!("there is no key {key:?}: leave it out")))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use serde_json::json;

    use super::{Claim, Event, Outcome, Said, Sent};

    #[test]
    fn events_are_written_and_what_a_command_is_given_is_in_none() {
        let open = Event::Open { client: "c1".to_owned(), claimed: vec![3] };
        assert_eq!(
            open.text(),
            "id: c1\nretry: 1000\nevent: open\ndata: {\"claimed\":[\"3\"],\"client\":\"c1\"}\n\n"
        );
        let ask = super::Ask::Execute { command: "a\nb".to_owned(), input: json!("canary") };
        let text = Event::request(7, &ask).text();
        assert!(!text.contains("canary") && text.lines().count() == 3, "{text}");
        assert!(Event::request(7, &super::Ask::Discover).text().contains("\"discover\""));
        assert_eq!(
            Event::Withdrawn { id: 7 }.text(),
            "event: withdrawn\ndata: {\"request\":\"7\"}\n\n"
        );
    }

    #[test]
    fn a_claim_says_at_most_one_thing_of_the_command() {
        let read = |body: serde_json::Value| Claim::read(&body.to_string());
        let said = |extra: serde_json::Value| {
            let mut body = json!({"client": "c", "request": "7"});
            body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            read(body).map(|claim| claim.said)
        };
        assert_eq!(said(json!({})), Ok(Said::Nothing));
        assert_eq!(said(json!({"declaration": {"a": 1}})), Ok(Said::Declares(json!({"a": 1}))));
        assert_eq!(said(json!({"known": ["a"]})), Ok(Said::Knows(vec!["a".to_owned()])));
        for extra in [
            json!({"known": ["a"], "declaration": {}}),
            json!({"known": "a"}),
            json!({"known": [1]}),
            json!({"more": 1}),
            json!({"client": 1}),
            json!({"request": 7}),
            json!({"request": "+7"}),
            json!({"request": ""}),
            json!({"request": "18446744073709551616"}),
        ] {
            assert!(said(extra.clone()).is_err(), "{extra}");
        }
        for body in ["", "[]", "{", r#"{"client":"a","client":"b","request":"1"}"#] {
            assert!(Claim::read(body).is_err(), "{body}");
        }
    }

    #[test]
    fn a_result_is_one_of_three_things() {
        let sent = |extra: &str| {
            Sent::read(&format!(r#"{{"client":"c","request":"7","claim":"x",{extra}}}"#))
                .map(|sent| sent.outcome)
        };
        assert_eq!(sent(r#""value":null"#), Ok(Outcome::Value(json!(null))));
        assert_eq!(sent(r#""error":{"message":"no"}"#), Ok(Outcome::Failed("no".to_owned())));
        assert_eq!(sent(r#""gone":true"#), Ok(Outcome::Gone));
        for extra in [
            r#""gone":false"#,
            r#""error":"no""#,
            r#""error":{"message":"no","more":1}"#,
            r#""value":1,"gone":true"#,
            r#""value":1,"error":{"message":"no"}"#,
            r#""other":1"#,
            r#""value":1,"other":1"#,
        ] {
            assert!(sent(extra).is_err(), "{extra}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reading(body in ".{0,200}") {
            let _ = (Claim::read(&body), Sent::read(&body));
        }

        #[test]
        fn an_event_is_one_event_whatever_the_command_is_named(command in any::<String>()) {
            let text = Event::Request { id: 1, command: Some(command.clone()) }.text();
            let data = text.lines().nth(1).and_then(|line| line.strip_prefix("data: "));
            let data: serde_json::Value = serde_json::from_str(data.unwrap()).unwrap();
            prop_assert_eq!(&data["command"], &json!(command));
            prop_assert!(text.ends_with("\n\n") && text.matches("\n\n").count() == 1);
        }
    }
}
