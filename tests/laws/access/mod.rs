//! The laws of access: what is granted, who is asked, and what a refusal is.
//!
//! Spec: 000 and 003, "Access labels and grants"; the rules themselves are
//! tested cell by cell beside them.

mod approvals;
mod authentication;
mod grants;
mod human_time;
mod observers;
mod person;
pub(crate) mod policy;
mod stored;
