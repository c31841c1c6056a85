//! The laws of access: what is granted, who is asked, and what a refusal is.
//!
//! Spec: 000 and 003, "Access labels and grants"; the rules themselves are
//! tested cell by cell beside them.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests, and ports that panic on purpose")]

mod approvals;
mod authentication;
mod grants;
mod host;
mod human_time;
mod observers;
mod person;
mod policy;
