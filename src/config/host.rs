//! `[limits]`, `[admission]`, `[log]` and `[origins]`: what one deployment lets its callers use.

use super::{
    error::Errors,
    form::{Form, Whole, section, words},
    node::{Node, Place},
    rule::Origin,
};
use crate::{
    limits::LONGEST_TIMEOUT_MS,
    mcp,
    runtime::{Disclosure, UnenforcedLimit, admission::AdmissionOptions},
    sandbox,
};

/// The capacities there are; see [`AdmissionOptions::CAPACITIES`].
const MOST_PROGRAMS: u64 = *AdmissionOptions::CAPACITIES.end();
/// A bound of bytes, in MiB.
const MIB: u64 = 1_024 * 1_024;

section! {
    /// The bounds of each execution, and of each principal.
    pub(super) struct Limits {
        timeout_ms: Option<Whole<1, LONGEST_TIMEOUT_MS>>, "180000", "Milliseconds of one execution, its time in the queue included.";
        grace_ms: Option<Whole<1, 60_000>>, "5000", "Milliseconds that a cancelled execution has to acknowledge it.";
        cpu_ms: Option<Whole<1, 300_000>>, "the timeout, at most 300000", "Milliseconds of CPU time that an isolate has.";
        subrequests: Option<Whole<1, 4_294_967_295>>, "10000", "Requests that the platform lets an isolate make; it has no network to make them in.";
        code_bytes: Option<Whole<1, MIB>>, "262144", "Bytes of a program's text.";
        calls: Option<Whole<1, 1_000_000>>, "10000", "Calls of operations in one execution.";
        frame_bytes: Option<Whole<1_024, { 16 * MIB }>>, "8388608", "Bytes of one call's input or output.";
        flight_bytes: Option<Whole<1_024, { 64 * MIB }>>, "33554432", "Bytes of the inputs of all calls under way at once.";
        result_bytes: Option<Whole<1, { 8 * MIB }>>, "1048576", "Bytes of a program's answer as JSON.";
        log_bytes: Option<Whole<0, MIB>>, "65536", "Bytes of all lines that a program prints.";
        log_lines: Option<Whole<0, 100_000>>, "1000", "Lines that a program prints.";
        snapshot_operations: Option<Whole<1, 10_000>>, "10000", "Operations of one connection.";
        description_bytes: Option<Whole<1_024, 65_536>>, "16384", "Bytes of the description of `execute`.";
        approval_ms: Option<Whole<1, LONGEST_TIMEOUT_MS>>, "300000", "Milliseconds that a person has to answer, all questions of one execution together.";
        max_connections: Option<Whole<1, 1_000>>, "8", "Connections of one principal that work at once; idle ones beyond are parked and come back.";
        local_dev_unenforced: Unenforced, "none", "Limits that local development doesn't enforce: each is warned about once.";
    }
}

section! {
    /// How many programs run at once.
    pub(super) struct Admission {
        sandbox_capacity: Option<Whole<1, MOST_PROGRAMS>>, "6", "Programs that one connection runs at once.";
        admission_wait_ms: Option<Whole<1, LONGEST_TIMEOUT_MS>>, "as long as the program's own time allows", "Milliseconds that a program waits for its turn before it is refused.";
    }
}

section! {
    /// What the line of an execution has beside facts.
    pub(super) struct Log {
        code: Option<bool>, "false", "Writes a program's text in its line, at most 16384 bytes. A model may have put in it what it was told.";
        inputs: Option<bool>, "false", "Writes there what operations were called with, at most 2048 bytes a call and 16384 in all.";
    }
}

section! {
    /// Pages of other sites.
    pub(super) struct Origins {
        allowed: Vec<Origin>, "only the Worker's own", "The origins whose pages may call.";
    }
}

impl Limits {
    pub(super) fn of_execution(&self) -> sandbox::Limits {
        let mut limits = match self.timeout_ms {
            Some(Whole(timeout_ms)) => sandbox::Limits::with_timeout(timeout_ms),
            None => sandbox::Limits::default(),
        };
        set(&mut limits.grace_ms, self.grace_ms);
        set(&mut limits.cpu_ms, self.cpu_ms);
        set(&mut limits.subrequests, self.subrequests);
        set(&mut limits.calls, self.calls);
        size(&mut limits.code_bytes, self.code_bytes);
        size(&mut limits.frame_bytes, self.frame_bytes);
        size(&mut limits.flight_bytes, self.flight_bytes);
        size(&mut limits.result_bytes, self.result_bytes);
        size(&mut limits.log_bytes, self.log_bytes);
        size(&mut limits.log_lines, self.log_lines);
        size(&mut limits.snapshot_operations, self.snapshot_operations);
        size(&mut limits.description_bytes, self.description_bytes);
        limits
    }
}

fn set<const LEAST: u64, const MOST: u64>(limit: &mut u64, said: Option<Whole<LEAST, MOST>>) {
    if let Some(Whole(said)) = said {
        *limit = said;
    }
}

fn size<const LEAST: u64, const MOST: u64>(limit: &mut usize, said: Option<Whole<LEAST, MOST>>) {
    if let Some(said) = said.and_then(|Whole(said)| usize::try_from(said).ok()) {
        *limit = said;
    }
}

impl Admission {
    pub(super) fn options(&self) -> AdmissionOptions {
        AdmissionOptions {
            sandbox_capacity: self.sandbox_capacity.map(|Whole(capacity)| capacity),
            admission_wait_ms: self.admission_wait_ms.map(|Whole(wait_ms)| wait_ms),
        }
    }
}

impl Log {
    pub(super) fn disclosure(&self) -> Disclosure {
        Disclosure::new(self.code.unwrap_or(false), self.inputs.unwrap_or(false))
    }
}

impl Origins {
    pub(super) fn origins(&self) -> mcp::Origins {
        // Each was looked at when it was read.
        mcp::Origins::new(self.allowed.iter().map(|origin| origin.0.as_str())).unwrap_or_default()
    }
}

words! {
    /// A limit that a host may not enforce.
    UnenforcedName(UnenforcedLimit) {
        "cpu" => UnenforcedLimit::Cpu,
        "memory" => UnenforcedLimit::Memory,
        "output" => UnenforcedLimit::Output,
        "cancel" => UnenforcedLimit::Cancel,
    }
}

/// Limits, each at most once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unenforced(pub(super) Vec<UnenforcedLimit>);

impl Form for Unenforced {
    fn accepted() -> String {
        "a list of cpu, memory, output and cancel, each at most once,".to_owned()
    }

    fn schema() -> serde_json::Value {
        let items = UnenforcedName::schema();
        serde_json::json!({ "type": "array", "items": items, "uniqueItems": true })
    }

    fn read(node: &Node, place: &Place<'_>, errors: &mut Errors) -> Option<Self> {
        let listed: Vec<UnenforcedName> = Form::read(node, place, errors)?;
        let mut limits = Vec::new();
        for UnenforcedName(limit) in listed {
            if limits.contains(&limit) {
                errors.wrong(place, node, &Self::accepted());
                return None;
            }
            limits.push(limit);
        }
        Some(Self(limits))
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }
}
