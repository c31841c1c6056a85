//! What an operation is told about the call it serves.

use std::rc::Rc;

use super::{Reporter, Signal, Trace};

/// The frozen facts of one call; nothing else of the host is reachable from it.
///
/// Outside an execution each fact is there only when the caller has given it:
/// none is ever invented.
///
/// ```
/// use mycelium::operation::Context;
///
/// let context = Context::builder().principal("member:7").build();
/// assert_eq!(context.principal(), Some("member:7"));
/// assert_eq!(context.operation_ordinal(), None);
/// ```
///
/// Spec: 000 and 003, "Operation identity within execute".
#[derive(Clone, Debug)]
pub struct Context {
    facts: Rc<Facts>,
}

#[derive(Clone, Debug, Default)]
struct Facts {
    execution_id: Option<Rc<str>>,
    tool_call_id: Option<Rc<str>>,
    operation_ordinal: Option<u64>,
    cancellation: Signal,
    deadline_ms: Option<u64>,
    principal: Option<Rc<str>>,
    reporter: Reporter,
    trace: Option<Trace>,
}

impl Context {
    /// Gathers the facts of a call.
    #[must_use]
    pub fn builder() -> ContextBuilder {
        ContextBuilder::default()
    }

    /// The execution this call belongs to; fresh for every run.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        self.facts.execution_id.as_deref()
    }

    /// The model's tool call that asked for the execution.
    #[must_use]
    pub fn tool_call_id(&self) -> Option<&str> {
        self.facts.tool_call_id.as_deref()
    }

    /// The call's position among all calls of its execution, from 0, allotted
    /// when the program called.
    ///
    /// It counts within one execution and is no identity by itself: whoever must
    /// do a thing once joins it with ids that last, and compares the input too.
    #[must_use]
    pub fn operation_ordinal(&self) -> Option<u64> {
        self.facts.operation_ordinal
    }

    /// Says when nobody waits for the answer any more.
    #[must_use]
    pub fn cancellation(&self) -> &Signal {
        &self.facts.cancellation
    }

    /// When the time is over, in milliseconds since 1970 by the host's clock.
    #[must_use]
    pub fn deadline_ms(&self) -> Option<u64> {
        self.facts.deadline_ms
    }

    /// For whom the call is made, where the host knows.
    #[must_use]
    pub fn principal(&self) -> Option<&str> {
        self.facts.principal.as_deref()
    }

    /// Its place in a distributed trace, for the servers that it asks.
    #[must_use]
    pub fn trace(&self) -> Option<Trace> {
        self.facts.trace
    }

    /// Where the operation says how far it has come; whoever waits for the call may
    /// be told while it runs.
    #[must_use]
    pub fn reporter(&self) -> &Reporter {
        &self.facts.reporter
    }
}

/// Facts not frozen yet.
#[derive(Clone, Debug, Default)]
pub struct ContextBuilder {
    facts: Facts,
}

impl ContextBuilder {
    /// The execution the call belongs to.
    #[must_use]
    pub fn execution_id(mut self, id: impl Into<Rc<str>>) -> Self {
        self.facts.execution_id = Some(id.into());
        self
    }

    /// The model's tool call.
    #[must_use]
    pub fn tool_call_id(mut self, id: impl Into<Rc<str>>) -> Self {
        self.facts.tool_call_id = Some(id.into());
        self
    }

    /// The call's position in its execution, from 0.
    #[must_use]
    pub fn operation_ordinal(mut self, ordinal: u64) -> Self {
        self.facts.operation_ordinal = Some(ordinal);
        self
    }

    /// What says that the call is cancelled.
    #[must_use]
    pub fn cancellation(mut self, signal: Signal) -> Self {
        self.facts.cancellation = signal;
        self
    }

    /// When the time is over, in milliseconds since 1970.
    #[must_use]
    pub fn deadline_ms(mut self, deadline_ms: u64) -> Self {
        self.facts.deadline_ms = Some(deadline_ms);
        self
    }

    /// For whom the call is made.
    #[must_use]
    pub fn principal(mut self, principal: impl Into<Rc<str>>) -> Self {
        self.facts.principal = Some(principal.into());
        self
    }

    /// Its place in a distributed trace.
    #[must_use]
    pub fn trace(mut self, trace: Trace) -> Self {
        self.facts.trace = Some(trace);
        self
    }

    /// Who hears how far the operation has come.
    #[must_use]
    pub fn reporter(mut self, reporter: Reporter) -> Self {
        self.facts.reporter = reporter;
        self
    }

    /// Freezes the facts.
    #[must_use]
    pub fn build(self) -> Context {
        Context { facts: Rc::new(self.facts) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Context, Facts};
    use crate::operation::{Reporter, Signal};

    #[test]
    fn a_context_holds_facts_and_no_part_of_the_host() {
        let context = Context::builder().build();
        // A field more is a compile error here: look at what it lets an operation reach.
        let Facts {
            execution_id,
            tool_call_id,
            operation_ordinal,
            cancellation,
            deadline_ms,
            principal,
            reporter,
            trace,
        } = &*context.facts;
        let texts = [execution_id, tool_call_id, principal];
        assert!(texts.iter().all(|text| text.is_none()));
        assert_eq!((operation_ordinal, deadline_ms), (&None, &None));
        assert_eq!(trace, &None);
        assert!(matches!(cancellation, Signal { .. }));
        assert!(matches!(reporter, Reporter { .. }), "it says and hears nothing back");
    }

    #[test]
    fn a_fact_that_nobody_gave_is_absent() {
        let context = Context::builder().build();
        assert_eq!(context.execution_id(), None);
        assert_eq!(context.tool_call_id(), None);
        assert_eq!(context.operation_ordinal(), None);
        assert_eq!(context.deadline_ms(), None);
        assert_eq!(context.principal(), None);
        assert!(!context.cancellation().is_cancelled());
    }

    #[test]
    fn facts_given_later_change_no_context_built_before() {
        let builder = Context::builder().execution_id("e").tool_call_id("t").deadline_ms(9);
        let first = builder.clone().operation_ordinal(0).build();
        let second = builder.operation_ordinal(1).build();
        assert_eq!((first.operation_ordinal(), second.operation_ordinal()), (Some(0), Some(1)));
        assert_eq!((first.execution_id(), first.tool_call_id()), (Some("e"), Some("t")));
        assert_eq!(second.deadline_ms(), Some(9));
    }
}
