//! The settings there are.

use std::ops::RangeInclusive;

use super::ConfigError;
use crate::{
    runtime::{UnenforcedLimit, admission::AdmissionOptions},
    sandbox::Limits,
};

/// A deployment's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether the `dev` principal is let in on loopback.
    pub dev: bool,
    /// The bounds of each execution.
    pub limits: Limits,
    /// How many programs one connection runs at once, and how long others wait.
    pub admission: AdmissionOptions,
    /// The limits that this host doesn't enforce.
    pub unenforced: Vec<UnenforcedLimit>,
}

const DEV: &str = "MYCELIUM_AUTH_DEV";
const TIMEOUT: &str = "MYCELIUM_TIMEOUT_MS";
const CAPACITY: &str = "MYCELIUM_SANDBOX_CAPACITY";
const WAIT: &str = "MYCELIUM_ADMISSION_WAIT_MS";
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
        let dev = dev(variable(DEV));
        let timeout = timeout(variable(TIMEOUT));
        let capacity = whole(CAPACITY, variable(CAPACITY), AdmissionOptions::CAPACITIES);
        let wait = whole(WAIT, variable(WAIT), AdmissionOptions::WAITS_MS);
        let unenforced = unenforced(variable(UNENFORCED));
        match (dev, timeout, capacity, wait, unenforced) {
            (Ok(dev), Ok(limits), Ok(sandbox_capacity), Ok(admission_wait_ms), Ok(unenforced)) => {
                let admission = AdmissionOptions { sandbox_capacity, admission_wait_ms };
                Ok(Self { dev, limits, admission, unenforced })
            }
            (dev, timeout, capacity, wait, unenforced) => {
                let errors =
                    [dev.err(), timeout.err(), capacity.err(), wait.err(), unenforced.err()];
                Err(errors.into_iter().flatten().collect())
            }
        }
    }
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
    use super::{CAPACITY, DEV, Settings, TIMEOUT, UNENFORCED, WAIT};
    use crate::runtime::{UnenforcedLimit, admission::normalize_sandbox_admission_policy};

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
