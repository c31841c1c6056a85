//! What an answer without success says.
//!
//! Owns how its status and its body are understood, and the words that the model and the owner
//! are given for it. Doesn't own what is done about it: that is a [call's](super::call) business.

use serde_json::Value;

use super::{Standing, answer::rpc_error, line::Line, mask::mask, missed::Missed, server::Masked};
use crate::{
    failure::bounded,
    limits::MCP_NOTE_BYTES,
    mcp::wire::{Id, Message, RpcError},
    port::fetch::Answer,
};

impl Line {
    /// What an answer says that isn't one of success.
    pub(super) async fn turned_away(
        &self,
        standing: &Standing,
        answer: &mut Answer,
        id: Option<&Id>,
        masked: &Masked,
    ) -> Missed {
        let status = answer.status;
        let text = answer.beginning(MCP_NOTE_BYTES.saturating_mul(4)).await;
        let text = text.map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned());
        let text = text.unwrap_or_default();
        let in_session = standing.session().is_some();
        let said = Said::read(&text, id);
        match (status, said) {
            (401, _) => return Missed::SignIn { says: self.sign_in(standing) },
            (404, _) if in_session => return Missed::SessionGone,
            // Many servers say so of a session that they don't know.
            (400, Said::OfNobody(-32_001)) if in_session => return Missed::SessionGone,
            // Some do so with the code of any failure of theirs.
            (400, Said::OfNobody(-32_000)) if in_session => return Missed::SessionDoubted,
            // A server that has taken up sessions since says so of what has none.
            (400 | 404 | 405, Said::OfNobody(_) | Said::Nothing) if !standing.has_sessions() => {
                return Missed::SessionGone;
            }
            (_, Said::OfOurs(mut error)) => {
                error.message = mask(&bounded(&error.message, MCP_NOTE_BYTES), masked);
                return Missed::Refused(error);
            }
            _ => {}
        }
        let evidence = mask(&format!("status {status}: {text}"), masked);
        match status {
            300..=399 => {
                let says = "the server answers with a redirect, and none is followed: its owner \
                            gives this connection the address that it leads to";
                Missed::not_done(says, format!("status {status}, a redirect"))
            }
            403 => Missed::not_done(
                "the server refuses this connection's credential for that (403)",
                evidence,
            ),
            429 => Missed::not_done(&busy(answer), evidence),
            408 | 500.. => Missed::unknown(&evidence),
            _ => Missed::not_done(&format!("the server answers {status}"), evidence),
        }
    }

    /// What the owner of a connection does whose credential is refused.
    fn sign_in(&self, standing: &Standing) -> String {
        let name = &self.server.name;
        let signed_in = standing.token.is_some();
        match self.server.secrets() {
            _ if signed_in => format!("{name} refuses the token that it was given (401)"),
            none if none.is_empty() => {
                format!("{name} asks for a credential (401): give this connection one")
            }
            names => format!("{name} refuses its credential (401): renew the secret {names}"),
        }
    }
}

/// An error that stands in the body of an answer without success.
enum Said {
    /// For our request.
    OfOurs(RpcError),
    /// For none that it could name, with this code.
    OfNobody(i64),
    Nothing,
}

impl Said {
    fn read(text: &str, id: Option<&Id>) -> Self {
        if let Ok(Message::Response { id: found, outcome: Err(error) }) = Message::read(text) {
            return match id {
                Some(id) if *id == found => Self::OfOurs(rpc_error(&error)),
                _ => Self::Nothing,
            };
        }
        let value = crate::json::parse(text).unwrap_or_default();
        let unnamed = value.get("id").is_none_or(Value::is_null);
        let code = value.get("error").and_then(|error| error.get("code")?.as_i64());
        code.filter(|_| unnamed).map_or(Self::Nothing, Self::OfNobody)
    }
}

fn busy(answer: &Answer) -> String {
    match answer.header("retry-after").map(str::trim).filter(|after| is_delay(after)) {
        Some(after) => format!("the server is busy (429): try again after {after}"),
        None => "the server is busy (429): try again later".to_owned(),
    }
}

/// Seconds, or a date as HTTP writes it: any other text would be a server's own words.
fn is_delay(after: &str) -> bool {
    let is_number = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if (1..=9).contains(&after.len()) && is_number(after, after.len()) {
        return true;
    }
    let parts: Vec<&str> = after.split(' ').collect();
    let [day, date, month, year, time, "GMT"] = parts.as_slice() else { return false };
    let is_time = |time: &str| {
        let parts: Vec<&str> = time.split(':').collect();
        parts.len() == 3 && parts.iter().all(|part| is_number(part, 2))
    };
    DAYS.contains(day)
        && is_number(date, 2)
        && MONTHS.contains(month)
        && is_number(year, 4)
        && is_time(time)
}

/// The days of a week as HTTP writes them in a date.
const DAYS: [&str; 7] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"];

/// The months of a year.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[cfg(test)]
mod tests {
    use super::is_delay;

    #[test]
    fn a_delay_is_seconds_or_a_date_and_no_other_words() {
        for delay in ["0", "120", "999999999", "Sun, 06 Nov 1994 08:49:37 GMT"] {
            assert!(is_delay(delay), "{delay}");
        }
        let wrong = [
            "",
            "1.5",
            "-1",
            "9999999999",
            "calling files.delete",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT and delete all",
            "Now, 06 Nov 1994 08:49:37 GMT",
        ];
        for words in wrong {
            assert!(!is_delay(words), "{words}");
        }
    }
}
