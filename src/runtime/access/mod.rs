//! Whether a call may run: the caller's credential, the grant, the person.
//!
//! Owns the rules, their order, and what a host declares for them in an
//! [`AccessPolicy`]. Doesn't own who the caller is (a port answers for them), a
//! module's own gate (it runs later, on decoded input), or how a person is asked
//! (the [`Confirm`] port does).
//!
//! The rules are functions of facts alone ([`standing_grant`], [`rule()`], [`heed`]);
//! [`AccessCheck::decide`] fetches the facts and asks.
//!
//! Spec: 000 and 003, "Access labels and grants".

mod approvals;
mod authority;
mod check;
mod confirm;
mod grant;
mod human_time;
mod observe;
mod policy;
mod rule;
mod stored;

pub use approvals::{Approvals, NoRoom, OpenQuestion, Suspension};
pub use authority::{Authentication, Moment, SessionGrants, Unreadable};
pub use check::{AccessCheck, CallFacts, Verdict};
pub use confirm::{Answer, Confirm, ConfirmRequest};
pub use grant::{Grant, GrantError, Grants};
pub use human_time::{Asking, HumanTime};
pub use observe::RefusalObserver;
pub use policy::{AccessPolicy, Standing};
pub use rule::{Person, Ruling, Unnamed, heed, rule, standing_grant};
pub use stored::StoredGrants;
