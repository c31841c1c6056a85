//! Who is calling.
//!
//! Owns principals and the rule by which a request gets one. Until keys or tokens
//! are configured there is one way in: the `dev` principal, on loopback only.

mod loopback;
mod principal;

pub use loopback::is_loopback;
pub use principal::Principal;

/// The principal of a request to `host`, when `dev` says the owner allows it.
///
/// The flag alone isn't enough, so that a deployment with a forgotten flag still
/// refuses. The host alone isn't either: whoever reaches the Worker chooses it. So
/// the flag belongs to a machine that nobody else can reach, and nowhere else.
///
/// ```
/// use mycelium::auth::authenticate;
/// assert!(authenticate(true, "localhost").is_some());
/// assert!(authenticate(true, "mycelium.example.workers.dev").is_none());
/// assert!(authenticate(false, "localhost").is_none());
/// ```
#[must_use]
pub fn authenticate(dev: bool, host: &str) -> Option<Principal> {
    (dev && is_loopback(host)).then(Principal::dev)
}
