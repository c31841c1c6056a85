//! The one tool a model is given: `execute`.
//!
//! Owns what the model is told, what it may send, and the parts it gets back.
//!
//! Spec: 000, "Quick start without a model"; 003, "Concepts".

mod describe;
mod example;
mod part;
mod prepare;

pub use part::{LastPart, Part, ToolResult, last_part};
pub use prepare::{ArgumentError, ExecuteTool, Prepared, ToolCall};
