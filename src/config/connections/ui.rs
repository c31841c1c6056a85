//! `type = "ui"`: the app that is open in a session's browser.

use super::{Connection, Type};
use crate::config::{
    error::Errors,
    form::{Fields, Form, section},
    node::{Node, Place},
};

section! {
    /// As it is written.
    pub(in crate::config) struct Written {
        confirm: Option<bool>, "false", "Whether a person is asked before every command.";
    }
}

/// The app that is open in a session's browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ui {
    /// Whether a person is asked before every command.
    pub confirm: bool,
}

pub(super) const TYPE: Type =
    Type { word: "ui", keys: Written::KEYS, read, schema: Written::schema, rows: Written::keys };

fn read(fields: &Fields<'_>, _: &Node, _: &Place<'_>, errors: &mut Errors) -> Option<Connection> {
    let written = Written::read_fields(fields, errors)?;
    Some(Connection::Ui(Ui { confirm: written.confirm.unwrap_or(false) }))
}
