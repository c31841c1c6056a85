//! What an operation is told about the call it serves.

use std::rc::Rc;

/// The frozen facts of one call.
///
/// Spec: 000, "Operation identity within execute".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    execution_id: Rc<str>,
    operation_ordinal: Option<u64>,
}

impl Context {
    /// The context of a call made by a program: its execution and its position.
    #[must_use]
    pub fn within(execution_id: Rc<str>, operation_ordinal: u64) -> Self {
        Self { execution_id, operation_ordinal: Some(operation_ordinal) }
    }

    /// The execution this call belongs to; fresh for every run.
    #[must_use]
    pub fn execution_id(&self) -> &str {
        &self.execution_id
    }

    /// The call's position among all calls of its execution, from 0, allotted
    /// when the program called; absent outside an execution.
    #[must_use]
    pub fn operation_ordinal(&self) -> Option<u64> {
        self.operation_ordinal
    }
}
