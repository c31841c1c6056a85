//! Finding operations and describing them.
//!
//! Owns what is made of documents that describe operations elsewhere: see
//! [`openapi`].

pub mod openapi;
