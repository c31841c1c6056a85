//! The table: one row a failure.

use super::{Place, Raw};

/// Whether any of the program or operation had run when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// Nothing had run: sending it again repeats nothing.
    Nothing,
    /// Something may have run: look at the list of calls before sending it again.
    Perhaps,
}

/// Who ended an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The one who asked for it.
    Caller,
    /// The host, because it is closing or the connection was ended.
    Host,
    /// The client, by cutting the stream that it was to be answered on.
    Disconnect,
}

impl std::fmt::Display for Party {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Caller => "caller",
            Self::Host => "host",
            Self::Disconnect => "client-disconnect",
        })
    }
}

/// One row of the table, for documents and for tests.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The stable code.
    pub code: &'static str,
    /// Whether the same call may succeed later without being changed.
    pub retryable: bool,
    /// Whether anything had run.
    pub ran: Ran,
    /// The message, with the failure's facts in braces.
    pub message: &'static str,
}

macro_rules! failures {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $($field:ident : $type:ty),* $(,)? }
        $code:literal $retryable:literal $ran:ident $message:literal
    )*) => {
        /// A typed failure of an execution or of a call within one.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Failure {
            $(
                $(#[$doc])*
                #[allow(missing_docs, reason = "the fields are named in the message")]
                $variant { $($field: $type),* },
            )*
        }

        /// Every failure there is.
        pub const TABLE: &[Row] = &[
            $(Row { code: $code, retryable: $retryable, ran: Ran::$ran, message: $message },)*
        ];

        impl Failure {
            /// The stable kebab-case code.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $code,)* }
            }

            /// Whether the same call may succeed later without being changed.
            #[must_use]
            pub fn retryable(&self) -> bool {
                match self { $(Self::$variant { .. } => $retryable,)* }
            }

            /// Whether anything had run when it failed.
            #[must_use]
            pub fn ran(&self) -> Ran {
                match self { $(Self::$variant { .. } => Ran::$ran,)* }
            }
        }

        impl std::fmt::Display for Failure {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self { $(Self::$variant { $($field),* } => write!(formatter, $message),)* }
            }
        }

        impl std::error::Error for Failure {}
    };
}

impl Failure {
    /// The answer as it came, where one came that isn't what its operation declares.
    #[must_use]
    pub fn raw(&self) -> Option<&serde_json::Value> {
        match self {
            Self::OutputInvalid { raw, .. } => raw.value(),
            _ => None,
        }
    }
}

failures! {
    /// The program isn't JavaScript or TypeScript, or uses what isn't there.
    SyntaxError { problem: String, place: Place }
        "syntax-error" false Nothing
        "{problem}{place}"
    /// The program could only have ended without its answer.
    NoAnswer { problem: String, place: Place }
        "no-answer" false Nothing
        "{problem}{place}"
    /// The program's text is over the limit.
    ProgramTooLarge { limit: usize }
        "program-too-large" false Nothing
        "the program has more than {limit} bytes: send less code, and let operations carry the data"
    /// The program nests deeper than can be read safely.
    ProgramTooDeep { place: Place }
        "program-too-deep" false Nothing
        "the program nests too deeply to be read: split it into statements or functions{place}"
    /// The program threw.
    GuestException { name: String, problem: String, place: Place }
        "guest-exception" false Perhaps
        "the program threw {name}: {problem}{place}"
    /// The isolate went away while the program ran.
    TransportLost {}
        "transport-lost" true Perhaps
        "the isolate went away while the program ran: look at the calls made before you send it again"
    /// The platform ended the isolate at its CPU limit.
    CpuExceeded { limit_ms: u64 }
        "cpu-exceeded" false Perhaps
        "the platform ended the program, which had used its {limit_ms} ms of CPU: look at the calls made, then compute less in one program"
    /// The platform ended the isolate at its memory limit.
    MemoryExceeded {}
        "memory-exceeded" false Perhaps
        "the platform ended the program, which had used its memory: look at the calls made, then hold less at once"
    /// The isolate said something that the protocol doesn't have.
    BadResponse { rule: String }
        "bad-response" false Perhaps
        "the isolate broke the protocol: {rule}; look at the calls made before you send it again"
    /// An operation failed.
    CapabilityFailed { operation: String, problem: String }
        "capability-failed" false Perhaps
        "{operation} failed: {problem}"
    /// An operation was called with input it doesn't take.
    InputInvalid { operation: String, problem: String }
        "input-invalid" false Nothing
        "{operation} was called with input it does not take: {problem}"
    /// An operation gave an answer other than it declares.
    OutputInvalid { operation: String, problem: String, raw: Raw }
        "output-invalid" false Perhaps
        "{operation} ran, and its answer is not what it declares: {problem}{raw}"
    /// Too many programs ran, and the wait for a turn was shorter than the time.
    SandboxBusy { capacity: u64, waited_ms: u64 }
        "sandbox-busy" true Nothing
        "{capacity} programs run at once here, and in {waited_ms} ms it was not this one's turn: none of it has run, so send it again later"
    /// The time ran out.
    DeadlineExceeded { timeout_ms: u64, started: bool }
        "deadline-exceeded" true Perhaps
        "the {timeout_ms} ms for this execution are over (started: {started}): if it had started, do less in one program, or await what never settles with a limit of its own; if it had not, the host was full, so send it again later"
    /// Somebody ended the execution.
    Cancelled { by: Party }
        "cancelled" true Perhaps
        "the execution was cancelled by the {by}: look at the calls made before you send it again"
    /// The program's answer can't be said in JSON.
    ResultInvalid { path: String, found: String, remedy: String }
        "result-invalid" false Perhaps
        "the answer at {path} is {found}, which JSON can't say: {remedy}"
    /// The program's answer is over the limit.
    ResultTooLarge { bytes: usize, limit: usize, outline: String }
        "result-too-large" false Perhaps
        "the answer has {bytes} bytes, the limit is {limit}: return the part you need. Its shape: {outline}"
    /// The program made more calls than one execution may.
    CallBudgetExceeded { limit: u64 }
        "call-budget-exceeded" false Perhaps
        "one execution may make {limit} calls: do the rest in another"
    /// A call came after the program had ended.
    CallAfterSettle { operation: String }
        "call-after-settle" false Perhaps
        "{operation} was called after the program had ended and did not run: await every call"
    /// The program said a name that no operation has.
    OperationUnknown { name: String, nearest: String }
        "operation-unknown" false Perhaps
        "there is no operation {name}{nearest}"
    /// A list is asked to go on where it never was.
    CursorInvalid { helper: String, problem: String }
        "cursor-invalid" false Nothing
        "{helper}: {problem}"
    /// What is asked for can't be described within the bound.
    DescriptionTooLarge { helper: String, problem: String }
        "description-too-large" false Nothing
        "{helper}: {problem}"
    /// A prepared call was executed a second time.
    AlreadyExecuted {}
        "already-executed" false Nothing
        "this call has been executed: prepare another, for nothing is run twice"
    /// A write was asked for without the identity that the host requires.
    IdentityMissing { operation: String }
        "identity-missing" false Nothing
        "{operation} changes something and did not run, because the call carries no tool call id and ordinal: call it from a program"
    /// What was sent as a patch isn't one.
    PatchParse { problem: String }
        "patch-parse" false Nothing
        "{problem}"
    /// A patch, or the work it takes, is over a bound.
    PatchTooLarge { problem: String }
        "patch-too-large" false Nothing
        "{problem}"
    /// A file doesn't hold the lines that a hunk is about.
    ContextNotFound { file: String, hunk: usize, line: usize, expected: String, found: String }
        "context-not-found" false Nothing
        "{file}, hunk {hunk}: the patch has {expected:?} where line {line} of the file {found}; nothing was changed: read the file and make the hunk of what it holds"
    /// A file holds the lines that a hunk is about more than once.
    AmbiguousContext { file: String, hunk: usize, lines: String }
        "ambiguous-context" false Nothing
        "{file}, hunk {hunk}: its lines stand in the file more than once, at lines {lines}; nothing was changed: add lines around them, or an anchor (@@ and the line that begins the block)"
    /// A file is to be made where there is one.
    FileExists { file: String }
        "file-exists" false Nothing
        "{file} exists and was left as it is: change it, or choose another path"
    /// There is no such file.
    FileMissing { file: String }
        "file-missing" false Nothing
        "there is no file {file}: look up its path, or make it"
    /// A path isn't one.
    PathRefused { path: String, problem: String }
        "path-refused" false Nothing
        "the path {path:?} is refused: {problem}"
    /// A file holds what isn't text where text is needed.
    FileNotText { file: String }
        "file-not-text" false Nothing
        "{file} isn't UTF-8 text: read and write it whole, as base64"
    /// A file is over a bound.
    FileTooLarge { file: String, limit: usize }
        "file-too-large" false Nothing
        "{file} has or would have more than {limit} bytes: read it by range, or write several files"
    /// A file holds something else than the change was made of.
    FileConflict { file: String }
        "file-conflict" false Nothing
        "{file} holds something else than was expected and was left as it is: read it again and make the change of what it holds"
    /// Some of several files were written and some were not.
    PartialWrite { written: String, file: String, problem: String, untried: String }
        "partial-write" false Perhaps
        "files were written in part. Written: {written}. Failed: {file} ({problem}). Not tried: {untried}. Read these files, and repeat only what is missing"
    /// Where files are kept can't be reached.
    FilesUnavailable {}
        "files-unavailable" true Nothing
        "the files can't be reached now, and nothing was changed: try again later"
    /// What was sent may have been done, and no answer came.
    OutcomeUnknown { operation: String, problem: String }
        "outcome-unknown" false Perhaps
        "{operation} was sent and {problem}, so it may have been done: look before you send it again"
    /// No page of the open app took what was asked.
    AppUnavailable { problem: String }
        "app-unavailable" true Nothing
        "the open app did not take it, and nothing was changed: {problem}"
    /// A Worker that is bound to this one sent what its method doesn't take.
    RequestInvalid { problem: String }
        "request-invalid" false Nothing
        "{problem}"
    /// A principal's stored grants can't be reached.
    GrantsUnreachable {}
        "grants-unreachable" true Perhaps
        "the principal's grants could not be reached, and may be set or not: set them again"
    /// A reply to a Worker that is bound to this one is over the limit.
    ReplyTooLarge { bytes: usize, limit: usize }
        "reply-too-large" false Perhaps
        "the reply has {bytes} bytes, the limit is {limit}, so it was not sent: look at what was done, then ask for less"
    /// The runtime has been closed.
    RuntimeClosed {}
        "runtime-closed" true Nothing
        "the host is closing and takes no new work: try again on a fresh one"
    /// The lease has been released.
    LeaseReleased {}
        "lease-released" false Nothing
        "this lease has been released: acquire another"
    /// A source of operations can't be had.
    SourceUnavailable { source: String }
        "source-unavailable" true Nothing
        "the source {source} is unavailable, so nothing was run: try again later"
    /// The host lost the instance that the execution ran in.
    ExecutionLost {}
        "execution-lost" true Perhaps
        "the host lost what it was running: look at what was done before you repeat it"
    /// What a pen is to write isn't said well enough, or says what it mustn't.
    PenIntent { problem: String }
        "MPP-E001" false Nothing
        "the intent is refused: {problem}"
    /// A pen's program can't be started.
    PenSandbox { problem: String }
        "MPP-E002" false Nothing
        "the pen's sandbox can't be started: {problem}"
    /// No program was written.
    PenWriter { problem: String }
        "MPP-E003" false Nothing
        "no program was written: {problem}"
    /// A pen's program ran for longer than it may.
    PenTimeout { timeout_ms: u64 }
        "MPP-E004" false Perhaps
        "the pen's program was ended after {timeout_ms} ms: ask for less at once, or for a longer timeout_ms"
    /// A pen's program tried what it isn't allowed.
    PenForbidden { attempts: String }
        "MPP-E005" false Perhaps
        "the pen's program tried what it is not allowed ({attempts}), and that was refused: do without it, or allow it in options.sandbox"
    /// A shared pen didn't pass its review.
    PenRejected { reason: String }
        "MPP-E006" false Nothing
        "the pen was not accepted into the shared library ({reason}): write another that answers this, and share that"
    /// A failure that this host can't name.
    Unknown {}
        "unknown" false Perhaps
        "something failed that is not the program's fault; the operator finds the cause under the reference"
}
