//! What a secret looks like.
//!
//! Owns the list of forms, by what issues them. No form is matched by a regular expression: each
//! is a beginning and the characters after it, so the search takes one pass.

/// A form that issuers give their secrets: a beginning, then so many characters at least.
struct Form {
    kind: &'static str,
    begin: &'static str,
    least: usize,
}

const fn form(kind: &'static str, begin: &'static str, least: usize) -> Form {
    Form { kind, begin, least }
}

/// Beginnings that mean a secret, with the fewest characters that must follow.
const FORMS: &[Form] = &[
    form("an AWS access key", "AKIA", 16),
    form("an AWS access key", "ASIA", 16),
    form("a GitHub token", "ghp_", 30),
    form("a GitHub token", "gho_", 30),
    form("a GitHub token", "ghu_", 30),
    form("a GitHub token", "ghs_", 30),
    form("a GitHub token", "ghr_", 30),
    form("a GitHub token", "github_pat_", 30),
    form("a GitLab token", "glpat-", 20),
    form("a Slack token", "xoxb-", 10),
    form("a Slack token", "xoxp-", 10),
    form("a Slack token", "xoxa-", 10),
    form("a Slack token", "xapp-", 10),
    form("a model provider's key", "sk-", 20),
    form("a payment key", "sk_live_", 16),
    form("a payment key", "rk_live_", 16),
    form("a payment key", "sk_test_", 16),
    form("a webhook's secret", "whsec_", 16),
    form("a Google API key", "AIza", 30),
    form("a Google OAuth token", "ya29.", 20),
    form("an npm token", "npm_", 30),
    form("a PyPI token", "pypi-", 30),
    form("a Hugging Face token", "hf_", 30),
    form("a SendGrid key", "SG.", 30),
    form("a DigitalOcean token", "dop_v1_", 30),
    form("a Databricks token", "dapi", 32),
    form("a Shopify token", "shpat_", 30),
    form("a Vault token", "hvs.", 20),
    form("a Docker token", "dckr_pat_", 20),
    form("a Telegram bot's token", "bot_token:", 20),
    form("an age secret key", "AGE-SECRET-KEY-1", 20),
];

/// Words that a value follows which is a secret, when it is one by its look.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "api key",
    "access_key",
    "access key",
    "private_key",
    "client_secret",
    "credential",
    "密码",
    "口令",
    "密钥",
    "令牌",
];

/// The kind of the secret that a text holds, as far as its form tells.
pub(super) fn find(text: &str) -> Option<&'static str> {
    if is_private_key(text) {
        return Some("a private key");
    }
    let formed = FORMS.iter().find(|form| holds(text, form)).map(|form| form.kind);
    formed
        .or_else(|| holds_jwt(text).then_some("a JSON web token"))
        .or_else(|| holds_login(text).then_some("a password in a URL"))
        .or_else(|| holds_named(text).then_some("a password, key or token given as a value"))
}

fn is_private_key(text: &str) -> bool {
    text.match_indices("-----BEGIN").any(|(at, _)| {
        let line = text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        line.contains("PRIVATE KEY")
    })
}

fn is_secret_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

/// A beginning counts only where a word begins.
fn holds(text: &str, form: &Form) -> bool {
    text.match_indices(form.begin).any(|(at, begin)| {
        let fresh = text.get(..at).and_then(|before| before.chars().next_back());
        let fresh = fresh.is_none_or(|before| !before.is_ascii_alphanumeric());
        let rest = text.get(at.saturating_add(begin.len())..).unwrap_or_default();
        let value: String = rest.chars().take_while(|letter| is_secret_letter(*letter)).collect();
        fresh && value.len() >= form.least && is_mixed(&value)
    })
}

/// Whether a value has digits or capitals among its letters: prose rarely does.
fn is_mixed(value: &str) -> bool {
    value.chars().any(|letter| letter.is_ascii_digit())
        || value.chars().any(|letter| letter.is_ascii_uppercase())
            && value.chars().any(|letter| letter.is_ascii_lowercase())
}

/// Three parts of base64url with full stops between, the first of which begins an object.
fn holds_jwt(text: &str) -> bool {
    text.match_indices("eyJ").any(|(at, _)| {
        let rest = text.get(at..).unwrap_or_default();
        let token: String = rest.chars().take_while(|letter| is_secret_letter(*letter)).collect();
        let parts: Vec<&str> = token.split('.').collect();
        parts.len() >= 3 && parts.iter().take(2).all(|part| part.len() >= 10)
    })
}

/// `scheme://user:password@host`
fn holds_login(text: &str) -> bool {
    text.split("://").skip(1).any(|rest| {
        let authority = rest.split(['/', ' ', '\n', '\t', '?', '#']).next().unwrap_or_default();
        let login = authority.rsplit_once('@').map(|(login, _)| login);
        login.and_then(|login| login.split_once(':')).is_some_and(|(_, word)| !word.is_empty())
    })
}

/// A name of a secret, then `:`, `=` or `is`, then a value that looks like one.
fn holds_named(text: &str) -> bool {
    let small = text.to_lowercase();
    NAMES.iter().any(|name| {
        small.match_indices(name).any(|(at, name)| {
            let rest = small.get(at.saturating_add(name.len())..).unwrap_or_default();
            named_value(rest).is_some_and(looks_secret)
        })
    })
}

/// The value after the sign that gives one.
fn named_value(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches(['"', '\'', '`', ' ']);
    let rest =
        [":", "=", "：", "is ", "是", "为"].iter().find_map(|sign| rest.strip_prefix(sign))?;
    let rest = rest.trim_start_matches([' ', '"', '\'', '`']);
    let rest = rest.strip_prefix("bearer ").unwrap_or(rest);
    rest.split(|letter: char| letter.is_whitespace() || "\"'`,;。，；".contains(letter)).next()
}

/// A value of some length, with digits or signs among its letters.
fn looks_secret(value: &str) -> bool {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let signs = value.chars().filter(|letter| "!@#$%^&*_-+/=~".contains(*letter)).count();
    let placeholder = value.starts_with(['$', '<', '{', '[']) || value.starts_with("env.");
    value.is_ascii() && value.len() >= 6 && !placeholder && (digits > 0 || signs > 1)
}

#[cfg(test)]
mod tests {
    use super::{FORMS, find};
    use crate::pen::check_intent;

    #[test]
    fn every_form_of_secret_is_found_and_never_repeated() {
        let tail = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
        let mut secrets: Vec<String> =
            FORMS.iter().map(|form| format!("{}{tail}", form.begin)).collect();
        secrets.extend(
            [
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
                "postgres://admin:hunter22@db.internal/x",
                "password: hunter22",
                "api_key=\"9f8e7d6c5b4a\"",
                "the token is 12ab34cd56",
                "密码：abc12345",
                "-----BEGIN RSA PRIVATE KEY-----\nMIIEow",
                "-----BEGIN PRIVATE KEY-----",
                "-----BEGIN OPENSSH PRIVATE KEY-----",
            ]
            .map(str::to_owned),
        );
        for secret in secrets {
            let intent = format!("fetch the orders with {secret} and sum them");
            let refused = check_intent(&intent).unwrap_err().to_string();
            assert!(refused.contains("hold a secret"), "{secret}: {refused}");
            let words = secret.split([' ', '\n', ':', '=', '"', '：']);
            for word in words.filter(|word| word.len() > 7 && word.contains(char::is_numeric)) {
                assert!(!refused.contains(word), "{refused}");
            }
        }
    }

    #[test]
    fn prose_about_secrets_is_no_secret() {
        for intent in [
            "check that every password has at least eight letters",
            "validate a token: it must be present",
            "count the words in the private key documentation",
            "make an api key rotation plan for the team",
            "the secret is $SECRET, ask env.SECRET for it",
            "skip-level meetings, sk-ating and risk-averse-investment-portfolio-strategies",
            "open https://example.com/a:b@c and count its links",
            "检查密码是否足够长",
            "describe -----BEGIN CERTIFICATE----- blocks",
        ] {
            assert_eq!(find(intent), None, "{intent}");
        }
    }
}
