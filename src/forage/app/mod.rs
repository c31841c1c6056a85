//! What an App declares of itself, as operations that can be found.
//!
//! Owns reading the declaration and three projections of it: operations for discovery, the
//! schemas of its methods for whoever runs them, and the tools that an App lists while it
//! runs. Doesn't own calling a method: a declaration grants nothing and runs nothing.
//!
//! # The declaration
//!
//! A JSON object, made by the App's author when the App is built:
//!
//! ```json
//! {
//!   "methods": {
//!     "desktop.arrange": {
//!       "description": "Arranges the windows.",
//!       "input": { "type": "object" },
//!       "output": { "type": "string" },
//!       "effect": "write",
//!       "requirements": ["a screen"],
//!       "hidden": false
//!     }
//!   },
//!   "families": {
//!     "shortcuts": { "listing": "shortcuts.list", "call": "shortcuts.run" }
//!   }
//! }
//! ```
//!
//! | key of a method | meaning | default |
//! | --- | --- | --- |
//! | `description` | what it does | empty |
//! | `input`, `output` | its schemas | required |
//! | `effect` | `read` or `write` | `write` |
//! | `requirements` | capabilities that it needs, a text each | none |
//! | `hidden` | whether it is kept from discovery; it stays callable | `false` |
//!
//! A method's name is one name or several with dots between: as `TOURTOIS`, `desktop.arrange`
//! is called by `env.TOURTOIS.desktop.arrange(…)`.
//!
//! A family is a list of tools that the App itself keeps: its method `listing` gives them, its
//! method `call` runs one. What `listing` gives is an object whose `tools` is a list of rows;
//! each row has a `name`, an `input` schema, perhaps a `description` and an `output` schema, and
//! whatever else the App wants: that stays data, which only the App understands.
//!
//! Spec: 001, "App backend methods" and "Dynamic App tool schemas".

mod declaration;
mod family;
mod operations;

pub use declaration::{AppApi, AppFamily, AppMethod};
pub use family::{AppReply, ToolFamily, ToolRow, app_tool_family_schemas};
pub use operations::{MethodSchemas, app_api_operations, app_method_schemas, app_tool_schemas};
