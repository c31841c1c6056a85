//! The settings there are.

use std::ops::RangeInclusive;

use super::{ConfigError, tokens};
use crate::{
    auth::{ApiKeys, JwtRules, ResourceMetadata},
    json,
    mcp::Origins,
    runtime::{UnenforcedLimit, access::Grants, admission::AdmissionOptions},
    sandbox::Limits,
};

/// A deployment's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether the `dev` principal is let in on loopback.
    pub dev: bool,
    /// The keys that are taken as credentials.
    pub keys: ApiKeys,
    /// The tokens that are.
    pub jwt: Option<JwtRules>,
    /// Where a client can get a token.
    pub metadata: ResourceMetadata,
    /// The pages that are served beside the Worker's own.
    pub origins: Origins,
    /// How many connections of a principal may work at once.
    pub connections: Option<u64>,
    /// How long a person has to answer.
    pub approval_ms: Option<u64>,
    /// The bounds of each execution.
    pub limits: Limits,
    /// How many programs one connection runs at once, and how long others wait.
    pub admission: AdmissionOptions,
    /// What of the host's own modules Workers that are bound to it may use.
    pub service: Grants,
    /// The limits that this host doesn't enforce.
    pub unenforced: Vec<UnenforcedLimit>,
}

const DEV: &str = "MYCELIUM_AUTH_DEV";
const KEYS: &str = "MYCELIUM_API_KEYS";
const ORIGINS: &str = "MYCELIUM_ORIGINS";
const CONNECTIONS: &str = "MYCELIUM_CONNECTIONS";
const APPROVAL: &str = "MYCELIUM_APPROVAL_MS";
const TIMEOUT: &str = "MYCELIUM_TIMEOUT_MS";
const CAPACITY: &str = "MYCELIUM_SANDBOX_CAPACITY";
const WAIT: &str = "MYCELIUM_ADMISSION_WAIT_MS";
const SERVICE: &str = "MYCELIUM_SERVICE_GRANTS";
const UNENFORCED: &str = "MYCELIUM_LOCAL_DEV_UNENFORCED_LIMITS";

impl Settings {
    /// Reads the settings through `variable`, which gives a variable's text by its name.
    ///
    /// # Errors
    ///
    /// Every wrong key, not the first only.
    ///
    /// ```
    /// use mycelium::config::Settings;
    /// let settings = Settings::read(|key| (key == "MYCELIUM_AUTH_DEV").then(|| "true".into()));
    /// assert!(settings.unwrap().dev);
    /// assert!(Settings::read(|_| Some("?".into())).is_err());
    /// ```
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Vec<ConfigError>> {
        let mut errors = Vec::new();
        let found = Self {
            dev: kept(dev(variable(DEV)), &mut errors),
            keys: kept(keys(variable(KEYS)), &mut errors),
            jwt: kept(tokens::rules(&variable), &mut errors),
            metadata: kept(tokens::metadata(&variable), &mut errors),
            origins: kept(origins(variable(ORIGINS)), &mut errors),
            connections: kept(whole(CONNECTIONS, variable(CONNECTIONS), PLACES), &mut errors),
            approval_ms: kept(
                whole(APPROVAL, variable(APPROVAL), AdmissionOptions::WAITS_MS),
                &mut errors,
            ),
            limits: kept(timeout(variable(TIMEOUT)), &mut errors),
            admission: AdmissionOptions {
                sandbox_capacity: kept(
                    whole(CAPACITY, variable(CAPACITY), AdmissionOptions::CAPACITIES),
                    &mut errors,
                ),
                admission_wait_ms: kept(
                    whole(WAIT, variable(WAIT), AdmissionOptions::WAITS_MS),
                    &mut errors,
                ),
            },
            service: kept(service(variable(SERVICE)), &mut errors),
            unenforced: kept(unenforced(variable(UNENFORCED)), &mut errors),
        };
        if errors.is_empty() { Ok(found) } else { Err(errors) }
    }
}

/// The setting, or its default with the error kept.
fn kept<T: Default>(read: Result<T, ConfigError>, errors: &mut Vec<ConfigError>) -> T {
    read.unwrap_or_else(|error| {
        errors.push(error);
        T::default()
    })
}

/// What is wrong with keys is said by their own error; they are never repeated.
fn keys(text: Option<String>) -> Result<ApiKeys, ConfigError> {
    let Some(text) = text else { return Ok(ApiKeys::default()) };
    ApiKeys::read(&text).map_err(|error| {
        let accepted = "an object of keys, each with sha256, kind and id,";
        ConfigError::new(KEYS, &error.to_string(), accepted)
    })
}

fn origins(text: Option<String>) -> Result<Origins, ConfigError> {
    let text = text.unwrap_or_default();
    let listed = text.split(',').map(str::trim).filter(|origin| !origin.is_empty());
    Origins::new(listed).map_err(|wrong| {
        ConfigError::new(ORIGINS, &wrong, "scheme://host[:port], several with commas between,")
    })
}

fn dev(text: Option<String>) -> Result<bool, ConfigError> {
    match text.as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(ConfigError::new(DEV, other, "true or false")),
    }
}

fn timeout(text: Option<String>) -> Result<Limits, ConfigError> {
    let timeout_ms = whole(TIMEOUT, text, Limits::TIMEOUTS_MS)?;
    Ok(timeout_ms.map_or_else(Limits::default, Limits::with_timeout))
}

/// How many connections of one principal may be open at once.
const PLACES: RangeInclusive<u64> = 1..=1_000;

/// Digits and nothing else: a sign or a space is a slip.
fn whole(
    key: &'static str,
    text: Option<String>,
    range: RangeInclusive<u64>,
) -> Result<Option<u64>, ConfigError> {
    let Some(text) = text else { return Ok(None) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits && range.contains(&number) => Ok(Some(number)),
        _ => {
            let accepted = format!("a whole number from {} to {}", range.start(), range.end());
            Err(ConfigError::new(key, &text, &accepted))
        }
    }
}

fn service(text: Option<String>) -> Result<Grants, ConfigError> {
    let Some(text) = text else { return Ok(Grants::default()) };
    let read = json::parse(&text).map_err(|error| error.to_string());
    let read = read.and_then(|said| Grants::parse(&said).map_err(|error| error.to_string()));
    let accepted = "an object from module id to \"write\", \"read\" or \"none\",";
    read.map_err(|problem| ConfigError::new(SERVICE, &problem, accepted))
}

fn unenforced(text: Option<String>) -> Result<Vec<UnenforcedLimit>, ConfigError> {
    let text = text.unwrap_or_default();
    let mut limits = Vec::new();
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let known = UnenforcedLimit::NAMES.iter().find(|(known, _)| *known == name);
        match known {
            Some((_, limit)) if !limits.contains(limit) => limits.push(*limit),
            _ => {
                let accepted = "cpu, memory, output and cancel, each at most once,";
                return Err(ConfigError::new(UNENFORCED, &text, accepted));
            }
        }
    }
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use super::{CAPACITY, DEV, SERVICE, Settings, TIMEOUT, UNENFORCED, WAIT};
    use crate::runtime::{
        UnenforcedLimit, access::Grant, admission::normalize_sandbox_admission_policy,
    };

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, Vec<String>> {
        let find = |key: &str| {
            pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| (*value).to_owned())
        };
        Settings::read(find).map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn nothing_configured_lets_nobody_in() {
        assert_eq!(read(&[]), Ok(Settings::default()));
        assert!(!Settings::default().dev);
    }

    #[test]
    fn unenforced_limits_are_known_and_not_repeated() {
        let limits = read(&[(UNENFORCED, "cpu, memory")]).unwrap().unenforced;
        assert_eq!(limits, [UnenforcedLimit::Cpu, UnenforcedLimit::Memory]);
        for wrong in ["disk", "cpu,cpu", "CPU"] {
            assert!(read(&[(UNENFORCED, wrong)]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_services_are_granted_is_said_as_any_grants_are() {
        let granted = read(&[(SERVICE, r#"{"example-demo": "read"}"#)]).unwrap().service;
        assert_eq!(granted.get("example-demo"), Some(Grant::Read));
        for wrong in ["", "read", "[]", r#"{"a": "Read"}"#, r#"{"a": "read", "a": "write"}"#] {
            let errors = read(&[(SERVICE, wrong)]).unwrap_err();
            assert!(errors[0].starts_with("MYCELIUM_SERVICE_GRANTS is"), "{errors:?}");
        }
    }

    #[test]
    fn admission_is_whole_numbers_in_the_bounds_of_the_policy() {
        let bounds = [("1", "1"), ("9007199254740991", "900000")];
        for (capacity, wait) in bounds {
            let admission = read(&[(CAPACITY, capacity), (WAIT, wait)]).unwrap().admission;
            assert_eq!(admission.sandbox_capacity.unwrap().to_string(), capacity);
            assert_eq!(admission.admission_wait_ms.unwrap().to_string(), wait);
            assert!(normalize_sandbox_admission_policy(&admission, None).is_ok());
        }
        for wrong in ["0", "", " 1", "+1", "-1", "1.5", "1e3", "9007199254740992", "none"] {
            let errors = read(&[(CAPACITY, wrong), (WAIT, wrong), (TIMEOUT, wrong)]).unwrap_err();
            assert_eq!(errors.len(), 3, "{wrong}");
        }
    }

    #[test]
    fn every_wrong_key_is_named_with_what_is_accepted() {
        let errors = [(DEV, "yes"), (TIMEOUT, "0"), (WAIT, "0"), (UNENFORCED, "x")];
        let errors = read(&errors).unwrap_err();
        assert_eq!(errors.len(), 4, "{errors:?}");
        assert!(errors[0].contains("MYCELIUM_AUTH_DEV is \"yes\": true or false is accepted"));
    }
}
