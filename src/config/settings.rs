//! The settings there are.

use super::ConfigError;
use crate::{limits::LONGEST_TIMEOUT_MS, runtime::UnenforcedLimit, sandbox::Limits};

/// A deployment's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether the `dev` principal is let in on loopback.
    pub dev: bool,
    /// The bounds of each execution.
    pub limits: Limits,
    /// The limits that this host doesn't enforce.
    pub unenforced: Vec<UnenforcedLimit>,
}

const DEV: &str = "MYCELIUM_AUTH_DEV";
const TIMEOUT: &str = "MYCELIUM_TIMEOUT_MS";
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
        let unenforced = unenforced(variable(UNENFORCED));
        match (dev, timeout, unenforced) {
            (Ok(dev), Ok(limits), Ok(unenforced)) => Ok(Self { dev, limits, unenforced }),
            (dev, timeout, unenforced) => {
                Err([dev.err(), timeout.err(), unenforced.err()].into_iter().flatten().collect())
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
    let Some(text) = text else { return Ok(Limits::default()) };
    match text.parse() {
        Ok(timeout_ms @ 1..=LONGEST_TIMEOUT_MS) => Ok(Limits::with_timeout(timeout_ms)),
        _ => Err(ConfigError::new(TIMEOUT, &text, "a whole number from 1 to 900000")),
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
    use super::{DEV, Settings, TIMEOUT, UNENFORCED};
    use crate::runtime::UnenforcedLimit;

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
    fn every_wrong_key_is_named_with_what_is_accepted() {
        let errors = read(&[(DEV, "yes"), (TIMEOUT, "0"), (UNENFORCED, "x")]).unwrap_err();
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert!(errors[0].contains("MYCELIUM_AUTH_DEV is \"yes\": true or false is accepted"));
    }
}
