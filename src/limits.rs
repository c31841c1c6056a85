//! Every bound there is, in one table.
//!
//! A host may set those of its own runtime through
//! [`sandbox::Limits`](crate::sandbox::Limits), the access policy and the admission
//! options; nothing that a guest sends can widen one.

/// One row of the table, for documents and for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The constant's name.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// What it bounds, and in which unit.
    pub meaning: &'static str,
}

macro_rules! limits {
    ($($name:ident: $type:ty = $value:expr, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: $type = $value;
        )*

        /// Every bound there is.
        pub const TABLE: &[Row] = &[
            $(Row { name: stringify!($name), value: $value as u64, meaning: $meaning },)*
        ];
    };
}

limits! {
    TIMEOUT_MS: u64 = 180_000, "Milliseconds of an execution, its time in the queue included, unless the host says.";
    LONGEST_TIMEOUT_MS: u64 = 900_000, "The most milliseconds of an execution, and of the wait for admission.";
    GRACE_MS: u64 = 5_000, "Milliseconds that a cancelled execution has to acknowledge it.";
    APPROVAL_MS: u64 = 300_000, "Milliseconds that a person has to answer.";
    CODE_BYTES: usize = 256 * 1_024, "Bytes of a program's text.";
    CALLS: u64 = 10_000, "Calls of operations in one execution.";
    FRAME_BYTES: usize = 8 * 1_024 * 1_024, "Bytes of one frame between host and guest, and so of a call's input and output.";
    FLIGHT_BYTES: usize = 32 * 1_024 * 1_024, "Bytes of the inputs of all calls that a program has under way at once.";
    SUBREQUESTS: u64 = 10_000, "Requests that the platform lets an isolate make, forwarded to the loader; an isolate has no network to make them in.";
    RESULT_BYTES: usize = 1_024 * 1_024, "Bytes of a program's answer as JSON.";
    LOG_BYTES: usize = 64 * 1_024, "Bytes of all lines that a program prints.";
    LOG_LINES: usize = 1_000, "Lines that a program prints.";
    SNAPSHOT_OPERATIONS: usize = 10_000, "Operations in one source's snapshot.";
    MESSAGE_BYTES: usize = 2_048, "Bytes of a failure's message that a model is shown.";
    DESCRIPTION_BYTES: usize = 16 * 1_024, "Bytes of the execute tool's description.";
    BODY_BYTES: usize = 4 * 1_024 * 1_024, "Bytes of the body of an MCP request.";
}
