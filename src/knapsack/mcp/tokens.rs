//! When a token is asked for, with what, and when nobody can but the owner.
//!
//! Owns the rules as functions of what is known. Doesn't own the request: that is
//! [`sign_in`](super::sign_in).

use serde::{Deserialize, Serialize};

use super::Token;

/// Milliseconds before its end at which a token is no longer sent.
const MARGIN_MS: u64 = 30_000;

/// Milliseconds after which a client that was turned away tries again, for its owner may have
/// changed something elsewhere.
const AGAIN_MS: u64 = 60_000;

/// What is known of a server's tokens; it outlives the process.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    state: State,
    /// What tells the owner's secrets apart from those that the state came of.
    seed: String,
}

#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    #[default]
    None,
    Held {
        token: Token,
        /// The refresh token that came with it, in the place of the one that was spent.
        refresh: Option<String>,
    },
    SignedOut {
        says: String,
        /// When it is tried again; never, where a refresh token is spent.
        again_ms: Option<u64>,
    },
}

/// What to do for a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this one.
    Use(Token),
    /// Ask for one, with this refresh token where there is one in the owner's place.
    Ask {
        /// The refresh token that came last; none for the owner's own.
        refresh: Option<String>,
    },
    /// Only the owner can help.
    SignIn {
        /// What is wrong.
        says: String,
    },
}

/// What was granted.
#[derive(Clone, PartialEq, Eq)]
pub struct Granted {
    /// What is sent.
    pub access: String,
    /// For how many seconds it holds.
    pub expires_in: Option<u64>,
    /// The next refresh token.
    pub refresh: Option<String>,
}

impl Tokens {
    /// What to do now. `refused` is a token that the server didn't take, and `seed` tells the
    /// owner's secrets apart.
    #[must_use]
    pub fn next(&self, now_ms: u64, refused: Option<&str>, seed: &str) -> Step {
        if self.seed != seed {
            return Step::Ask { refresh: None };
        }
        match &self.state {
            State::None => Step::Ask { refresh: None },
            State::Held { token, refresh } => {
                let over = token.until_ms.is_some_and(|until_ms| now_ms >= until_ms);
                if over || refused == Some(token.access.as_str()) {
                    return Step::Ask { refresh: refresh.clone() };
                }
                Step::Use(token.clone())
            }
            State::SignedOut { again_ms: Some(again_ms), .. } if now_ms >= *again_ms => {
                Step::Ask { refresh: None }
            }
            State::SignedOut { says, .. } => Step::SignIn { says: says.clone() },
        }
    }

    /// The token that is held, whether or not it still holds.
    #[must_use]
    pub fn held(&self) -> Option<&Token> {
        match &self.state {
            State::Held { token, .. } => Some(token),
            State::None | State::SignedOut { .. } => None,
        }
    }

    /// A token was granted. A refresh token that isn't replaced stays the last one.
    #[must_use]
    pub fn granted(&self, granted: Granted, now_ms: u64, seed: &str) -> Self {
        let last = match &self.state {
            State::Held { refresh, .. } if self.seed == seed => refresh.clone(),
            _ => None,
        };
        let until_ms = granted.expires_in.map(|seconds| {
            let ms = seconds.saturating_mul(1_000);
            // One that is short is used for half of its time at least.
            now_ms.saturating_add(ms.saturating_sub(MARGIN_MS).max(ms >> 1))
        });
        let token = Token { access: granted.access, until_ms };
        let refresh = granted.refresh.or(last);
        Self { state: State::Held { token, refresh }, seed: seed.to_owned() }
    }

    /// The client was turned away with this error. With `spent` the owner has to give another
    /// refresh token: the same is never sent again.
    #[must_use]
    pub fn denied(&self, says: &str, spent: bool, now_ms: u64, seed: &str) -> Self {
        let again_ms = (!spent).then(|| now_ms.saturating_add(AGAIN_MS));
        let state = State::SignedOut { says: says.to_owned(), again_ms };
        Self { state, seed: seed.to_owned() }
    }
}

impl std::fmt::Debug for Tokens {
    /// Without anything secret.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self.state {
            State::None => "none",
            State::Held { .. } => "held",
            State::SignedOut { .. } => "signed out",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{AGAIN_MS, Granted, Step, Tokens};

    fn granted(access: &str, expires_in: Option<u64>, refresh: Option<&str>) -> Granted {
        Granted { access: access.into(), expires_in, refresh: refresh.map(str::to_owned) }
    }

    fn asks(step: &Step) -> Option<Option<&str>> {
        match step {
            Step::Ask { refresh } => Some(refresh.as_deref()),
            _ => None,
        }
    }

    fn access(step: Step) -> Option<String> {
        match step {
            Step::Use(token) => Some(token.access),
            _ => None,
        }
    }

    #[test]
    fn a_token_is_used_until_shortly_before_its_end() {
        for (seconds, lasts_ms) in [(3_600, 3_570_000), (60, 30_000), (10, 5_000), (0, 0)] {
            let held = Tokens::default().granted(granted("a", Some(seconds), None), 1_000, "s");
            let until_ms = 1_000 + lasts_ms;
            if lasts_ms > 0 {
                let step = held.next(until_ms - 1, None, "s");
                assert_eq!(access(step).as_deref(), Some("a"), "{seconds}");
            }
            assert_eq!(asks(&held.next(until_ms, None, "s")), Some(None), "{seconds}");
        }
        let lasting = Tokens::default().granted(granted("a", None, None), 0, "s");
        assert!(access(lasting.next(u64::MAX, None, "s")).is_some());
    }

    #[test]
    fn only_the_token_that_is_held_can_be_refused() {
        let held = Tokens::default().granted(granted("b", None, Some("r2")), 0, "s");
        assert!(access(held.next(0, Some("a"), "s")).is_some(), "another's late news");
        assert_eq!(asks(&held.next(0, Some("b"), "s")), Some(Some("r2")));
    }

    #[test]
    fn a_rotated_refresh_token_stands_in_for_the_owners_and_one_that_isnt_stays() {
        let first = Tokens::default().granted(granted("a", Some(0), Some("r2")), 0, "s");
        assert_eq!(asks(&first.next(0, None, "s")), Some(Some("r2")));
        let second = first.granted(granted("b", Some(0), None), 0, "s");
        assert_eq!(asks(&second.next(0, None, "s")), Some(Some("r2")));
        let third = second.granted(granted("c", Some(0), Some("r3")), 0, "s");
        assert_eq!(asks(&third.next(0, None, "s")), Some(Some("r3")));
    }

    #[test]
    fn a_spent_refresh_token_is_never_sent_again_and_a_new_one_is() {
        let out = Tokens::default().denied("invalid_grant", true, 0, "s");
        assert_eq!(out.next(u64::MAX, None, "s"), Step::SignIn { says: "invalid_grant".into() });
        assert_eq!(asks(&out.next(0, None, "another")), Some(None));
    }

    #[test]
    fn a_client_that_is_turned_away_tries_again_later() {
        let out = Tokens::default().denied("invalid_client", false, 5, "s");
        assert!(matches!(out.next(AGAIN_MS + 4, None, "s"), Step::SignIn { .. }));
        assert_eq!(asks(&out.next(AGAIN_MS + 5, None, "s")), Some(None));
    }

    #[test]
    fn changed_secrets_end_what_came_of_the_old_ones() {
        let held = Tokens::default().granted(granted("a", None, Some("r2")), 0, "s");
        assert_eq!(asks(&held.next(0, None, "t")), Some(None));
        let renewed = held.granted(granted("b", Some(0), None), 0, "t");
        assert_eq!(asks(&renewed.next(0, None, "t")), Some(None), "r2 belongs to the old ones");
    }

    #[test]
    fn nothing_secret_is_shown() {
        let held = Tokens::default().granted(granted("canary", None, Some("canary")), 0, "canary");
        assert!(!format!("{held:?} {:?}", held.next(0, None, "canary")).contains("canary"));
    }
}
