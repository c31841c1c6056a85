//! What texts must be.

use super::form::{Rule, Text};
use crate::operation;

/// A text that isn't empty.
pub(super) type Said = Text<NotEmpty>;
/// The name of a secret or a variable of the Worker.
pub(super) type SecretName = Text<IsSecretName>;
/// The name of a binding of the Worker.
pub(super) type BindingName = Text<IsBindingName>;
/// A URL with https, or http on this machine.
pub(super) type Url = Text<IsUrl>;
/// An origin of pages.
pub(super) type Origin = Text<IsOrigin>;
/// Scopes as OAuth has them.
pub(super) type Scope = Text<IsScope>;
/// A name that code can say.
pub(super) type Name = Text<IsName>;
/// The name of a header, or of a parameter.
pub(super) type Field = Text<IsField>;

/// Not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotEmpty;

impl Rule for NotEmpty {
    const ACCEPTED: &'static str = "a text that isn't empty";
    const PATTERN: &'static str = ".";

    fn holds(text: &str) -> bool {
        !text.is_empty()
    }
}

/// Capitals, as variables have them; what breaks the rule may be the secret itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IsSecretName;

impl Rule for IsSecretName {
    const ACCEPTED: &'static str = "the name of a secret in capitals, such as PETSTORE_TOKEN,";
    const PATTERN: &'static str = "^[A-Z][A-Z0-9_]{0,63}$";
    const MASKED: bool = true;

    fn holds(text: &str) -> bool {
        is_capitals(text)
    }
}

/// A binding is named as a secret is, and is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IsBindingName;

impl Rule for IsBindingName {
    const ACCEPTED: &'static str = "the name of a binding in wrangler.toml, in capitals,";
    const PATTERN: &'static str = "^[A-Z][A-Z0-9_]{0,63}$";

    fn holds(text: &str) -> bool {
        is_capitals(text)
    }
}

fn is_capitals(text: &str) -> bool {
    let capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    text.len() <= 64
        && text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.bytes().all(capital)
}

/// Of a URL that this host asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IsUrl;

impl Rule for IsUrl {
    const ACCEPTED: &'static str = "a URL with https, or http on this machine,";
    const PATTERN: &'static str = "^https?://[^\\s\"]+$";

    fn holds(text: &str) -> bool {
        let rest = text.strip_prefix("https://").or_else(|| {
            let rest = text.strip_prefix("http://")?;
            let authority = rest.split('/').next().unwrap_or_default();
            let host = match authority.rsplit_once(':') {
                Some((host, port)) if !port.ends_with(']') => host,
                _ => authority,
            };
            crate::auth::is_loopback(host).then_some(rest)
        });
        rest.is_some_and(|rest| {
            let graphic = |byte: u8| byte.is_ascii_graphic() && byte != b'"';
            !rest.is_empty() && !rest.starts_with('/') && rest.bytes().all(graphic)
        })
    }
}

/// Of a page's origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IsOrigin;

impl Rule for IsOrigin {
    const ACCEPTED: &'static str = "scheme://host[:port]";
    const PATTERN: &'static str = "^[^:/]+://[^/*?# ]+$";

    fn holds(text: &str) -> bool {
        crate::mcp::Origins::new([text]).is_ok()
    }
}

/// Of what is said in a quoted header field, which may have neither quotes nor line ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IsScope;

impl Rule for IsScope {
    const ACCEPTED: &'static str = "names with single spaces between";
    const PATTERN: &'static str = "^[!#-\\[\\]-~]+( [!#-\\[\\]-~]+)*$";

    fn holds(text: &str) -> bool {
        let name = |name: &str| {
            let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
            !name.is_empty() && name.bytes().all(plain)
        };
        text.split(' ').all(name)
    }
}

/// Of a module, at the root of what code sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IsName;

impl Rule for IsName {
    const ACCEPTED: &'static str =
        "a name that code can say (letters, digits and _, none that JavaScript or this host uses)";
    const PATTERN: &'static str = "^[^\\s$.-]{1,64}$";

    fn holds(text: &str) -> bool {
        operation::root_name(text).is_ok()
    }
}

/// Of a header: RFC 9110, "token".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IsField;

impl Rule for IsField {
    const ACCEPTED: &'static str = "the name of a header or a parameter";
    const PATTERN: &'static str = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";

    fn holds(text: &str) -> bool {
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        !text.is_empty() && text.bytes().all(token)
    }
}
