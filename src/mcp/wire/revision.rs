//! The revisions of the protocol that this server speaks.

/// The revision without sessions: every request says all that it needs.
pub const MODERN: &str = "2026-07-28";

/// Every revision, the newest first.
pub const SUPPORTED: [&str; 3] =
    [MODERN, Revision::V2025_11_25.as_str(), Revision::V2025_06_18.as_str()];

/// A revision with sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revision {
    /// 2025-06-18.
    V2025_06_18,
    /// 2025-11-25.
    V2025_11_25,
}

impl Revision {
    /// The revision of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::V2025_11_25, Self::V2025_06_18].into_iter().find(|known| known.as_str() == name)
    }

    /// What a client is offered that asks for `name`: that, or the newest with sessions.
    #[must_use]
    pub fn offered(name: &str) -> Self {
        Self::named(name).unwrap_or(Self::V2025_11_25)
    }

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
        }
    }

    /// Whether a stream may begin with an event without data. Older clients read
    /// every event's data as a message, and break.
    #[must_use]
    pub const fn primes(self) -> bool {
        matches!(self, Self::V2025_11_25)
    }

    /// Whether a form says that it is one.
    #[must_use]
    pub const fn names_forms(self) -> bool {
        matches!(self, Self::V2025_11_25)
    }
}

#[cfg(test)]
mod tests {
    use super::{Revision, SUPPORTED};

    #[test]
    fn what_is_not_spoken_is_answered_with_the_newest_that_has_sessions() {
        for name in ["1999-01-01", "2024-11-05", "2025-03-26", "2026-07-28", ""] {
            assert_eq!(Revision::offered(name), Revision::V2025_11_25, "{name}");
        }
        for name in ["2025-06-18", "2025-11-25"] {
            assert_eq!(Revision::offered(name).as_str(), name);
            assert!(SUPPORTED.contains(&name));
        }
    }

    #[test]
    fn only_2025_11_25_primes_and_names_forms() {
        let all = [Revision::V2025_06_18, Revision::V2025_11_25];
        assert_eq!(all.map(Revision::primes), [false, true]);
        assert_eq!(all.map(Revision::names_forms), [false, true]);
    }
}
