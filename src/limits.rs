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
    APPROVAL_MS: u64 = 300_000, "Milliseconds that one execution waits for people, all its questions together.";
    OPEN_QUESTIONS: u64 = 8, "Questions to people that one execution may have open at once.";
    CODE_BYTES: usize = 256 * 1_024, "Bytes of a program's text.";
    CALLS: u64 = 10_000, "Calls of operations in one execution, questions to `forage` counted with them.";
    FRAME_BYTES: usize = 8 * 1_024 * 1_024, "Bytes of one frame between host and guest, and so of a call's input and output.";
    FLIGHT_BYTES: usize = 32 * 1_024 * 1_024, "Bytes of the inputs of all calls that a program has under way at once.";
    SUBREQUESTS: u64 = 10_000, "Requests that the platform lets an isolate make, forwarded to the loader; an isolate has no network to make them in.";
    RESULT_BYTES: usize = 1_024 * 1_024, "Bytes of a program's answer as JSON.";
    LOG_BYTES: usize = 64 * 1_024, "Bytes of all lines that a program prints.";
    SHOWN_CODE_BYTES: usize = 16 * 1_024, "Bytes of a program's text in the line of its log, where the owner asks for it.";
    SHOWN_INPUT_BYTES: usize = 2 * 1_024, "Bytes of one call's input in that line, where the owner asks for inputs.";
    SHOWN_INPUTS_BYTES: usize = 16 * 1_024, "Bytes of all inputs in that line, with the paths of their calls; further calls are counted.";
    LOG_LINES: usize = 1_000, "Lines that a program prints.";
    SNAPSHOT_OPERATIONS: usize = 10_000, "Operations in one source's snapshot.";
    MESSAGE_BYTES: usize = 2_048, "Bytes of a failure's message that a model is shown.";
    DESCRIPTION_BYTES: usize = 16 * 1_024, "Bytes of the execute tool's description.";
    OPENAPI_BYTES: usize = 2 * 1_024 * 1_024, "Bytes of an OpenAPI document.";
    OPENAPI_DEPTH: usize = 32, "Levels of an OpenAPI document, the root and the innermost scalar included.";
    OPENAPI_NODES: usize = 50_000, "Maps, lists and scalars of an OpenAPI document as written, and of one operation's schemas with every reference expanded.";
    OPENAPI_OPERATIONS: usize = 500, "Operations of an OpenAPI document.";
    OPENAPI_REASONS: usize = 32, "Reasons that are listed for one operation that can't be offered; further ones are counted.";
    OPENAPI_TEXT_UNITS: usize = 2_048, "UTF-16 units of a description in an OpenAPI document.";
    OPENAPI_TITLE_UNITS: usize = 200, "UTF-16 units of a title in an OpenAPI document.";
    OPENAPI_TAGS: usize = 16, "Tags of one operation.";
    OPENAPI_TAG_UNITS: usize = 64, "UTF-16 units of one tag.";
    OPENAPI_TABLE_OPERATIONS: usize = 64, "Operations in one stored table.";
    OPENAPI_TABLE_BYTES: usize = 512 * 1_024, "Bytes of one stored table.";
    OPENAPI_TIMEOUT_MS: u64 = 30_000, "Milliseconds that a server described by OpenAPI has to answer, unless the owner says.";
    OPENAPI_EXCERPT_BYTES: usize = 1_024, "Bytes of a failed answer's body that a model is shown.";
    DESCRIBE_BYTES: usize = 64 * 1_024, "Bytes of what `forage.describe` answers, as JSON.";
    METADATA_BYTES: usize = 32 * 1_024 * 1_024, "Bytes of all texts and schemas in one catalog of discovery.";
    LIST_RESULTS: usize = 50, "Operations on one page of `forage.list`.";
    SEARCH_RESULTS: usize = 10, "Operations that `forage.search` answers with, unless it is asked for another number.";
    MOST_SEARCH_RESULTS: usize = 50, "The most operations that `forage.search` answers with.";
    QUERY_BYTES: usize = 1_024, "Bytes of a query of `forage.search`.";
    REPORT_BYTES: usize = 512, "Bytes of what an operation says of its progress at once.";
    PROGRESS_PARTS: usize = 100, "Parts of progress that wait for whoever reads them; beyond, the oldest go, and are counted.";
    FILE_READ_BYTES: usize = 1_024 * 1_024, "Bytes of a file that one read gives.";
    FILE_BYTES: usize = 4 * 1_024 * 1_024, "Bytes of a file that is written, edited or patched.";
    FILE_LIST: usize = 1_000, "Entries of one page of a list of files.";
    SEARCH_FILES: usize = 500, "Files whose contents one search looks at: with ignore files and pages fewer than the 1 000 requests that the platform allows.";
    SEARCH_ENTRIES: usize = 20_000, "Files that one search finds by their paths.";
    SEARCH_BYTES: usize = 32 * 1_024 * 1_024, "Bytes of files that one search looks at.";
    SEARCH_MATCHES: usize = 500, "Matches that one search gives.";
    IGNORE_BYTES: usize = 64 * 1_024, "Bytes of one ignore file that a search reads.";
    IGNORE_TOTAL_BYTES: usize = 512 * 1_024, "Bytes of all ignore files that a search reads.";
    IGNORE_FILES: usize = 256, "Ignore files that a search reads.";
    CONNECT_SLOTS: usize = 6, "Providers that are asked at once what they offer: as many as the platform has connections.";
    CONNECT_MS: u64 = 10_000, "Milliseconds that a provider has to say what it offers, from its turn on.";
    CONNECT_AGAIN_MS: u64 = 30_000, "Milliseconds after which a provider that was left out is asked again.";
    CONNECT_ANEW_MS: u64 = 1_000, "Milliseconds that anybody waits for an MCP server that was asked again; it is asked to the end of its time in the background.";
    ADVERTISEMENT_BYTES: usize = 1_024 * 1_024, "Bytes of what a computer advertises.";
    ADVERTISED_OPERATIONS: usize = 1_000, "Operations that one computer advertises.";
    MCP_TIMEOUT_MS: u64 = 180_000, "Milliseconds that an MCP server has for one call, unless the owner says; a program's own deadline comes before.";
    MCP_ANSWER_BYTES: usize = 8 * 1_024 * 1_024, "Bytes of what an MCP server answers to one request, with all that it says before.";
    MCP_LIST_BYTES: usize = 8 * 1_024 * 1_024, "Bytes of all tools that one MCP server lists.";
    MCP_TOOLS: usize = 2_000, "Tools that one MCP server lists.";
    MCP_PAGES: usize = 200, "Pages on which one MCP server lists its tools.";
    MCP_FRESH_MS: u64 = 60_000, "Milliseconds after which an MCP server's tools are listed again in the background, unless it says how long they hold.";
    MCP_FRESHEST_MS: u64 = 5_000, "The fewest milliseconds between two such lists, whatever the server says.";
    MCP_RESUMES: u32 = 16, "How often the stream of one answer of an MCP server is taken up again.";
    MCP_RESUME_MS: u64 = 1_000, "Milliseconds before that, unless the server says.";
    MCP_NOTE_BYTES: usize = 1_024, "Bytes of an MCP server's refusal that a model is shown.";
    MCP_SCHEMA_BYTES: usize = 8 * 1_024, "Bytes of a schema outside the subset that a model is shown as it is.";
    BROWSER_PAGES: usize = 16, "Pages of an app that may be open in one session at once.";
    BROWSER_REQUESTS: usize = 64, "Requests to the pages of one session that may be under way at once.";
    BROWSER_BODY_BYTES: usize = 4 * 1_024 * 1_024, "Bytes of what a page claims with or answers.";
    BROWSER_GRACE_MS: u64 = 5_000, "Milliseconds that a page has to come back to its stream, and that a request waits for any page to open one.";
    BROWSER_CLAIM_MS: u64 = 10_000, "Milliseconds in which an open page must take a request.";
    BROWSER_RUN_MS: u64 = 60_000, "Milliseconds that a page has for a command, from the end of the time to take it.";
    BROWSER_KEEPALIVE_MS: u64 = 5_000, "Milliseconds of silence after which a page's stream is kept alive: a page that is gone is noticed then.";
    CONFIG_BYTES: usize = 256 * 1_024, "Bytes of `mycelium.toml`.";
    CONFIG_ERRORS: usize = 100, "Errors of a configuration that are told; further ones are counted.";
    SERVICE_REQUEST_BYTES: usize = 16 * 1_024 * 1_024, "Bytes as JSON of what a bound Worker sends at once. The platform carries 32 MiB, and refuses more before it arrives.";
    SERVICE_REPLY_BYTES: usize = 12 * 1_024 * 1_024, "Bytes as JSON of what a bound Worker is answered: the platform needs up to 2.25 times as many, and carries 32 MiB.";
    SESSION_GRANTS: usize = 1_000, "Modules that a principal's stored grants may name.";
    SESSION_GRANTS_BYTES: usize = 64 * 1_024, "Bytes of a principal's stored grants as JSON.";
    SERVICE_LISTED: usize = 1_000, "Calls, and refusals, that a bound Worker is told of by name; further ones are counted.";
    BODY_BYTES: usize = 4 * 1_024 * 1_024, "Bytes of the body of an MCP request.";
    CONNECTIONS: usize = 8, "Connections of one principal that may work at once, unless the host says; others are parked.";
    SESSIONS_KEPT: usize = 1_000, "Sessions of one principal that are kept, parked ones included.";
    SESSION_TTL_MS: u64 = 24 * 60 * 60 * 1_000, "Milliseconds that an idle session is kept.";
    ROW_BYTES: usize = 1_024 * 1_024, "Bytes of one row in an object's storage.";
    BEGIN_MS: u64 = 100, "Milliseconds after which the stream of a call that has said nothing begins, so that its client can come back after a cut.";
    STREAMS_KEPT: usize = 64, "Answered streams of one session that can still be resumed.";
    STREAM_BYTES_KEPT: usize = 8 * 1_024 * 1_024, "Bytes of all answered streams of one session that can still be resumed.";
    STREAM_KEPT_MS: u64 = 10 * 60 * 1_000, "Milliseconds that an answered stream can be resumed.";
    KEEPALIVE_MS: u64 = 15_000, "Milliseconds of silence after which a stream of a session is kept alive.";
    KEEPALIVE_STATELESS_MS: u64 = 5_000, "The same without sessions, where a cut stream cancels: a cut is noticed at the next comment.";
    RETRY_MS: u64 = 1_000, "Milliseconds after which a client comes back to a stream that was cut.";
    STANDALONE_MS: u64 = 300_000, "Milliseconds of a stream that no request opened; the client opens another.";
    PROGRESS_MS: u64 = 10_000, "Milliseconds between progress reports while a person is asked.";
    PEN_INTENT_BYTES: usize = 16 * 1_024, "Bytes of a pen's intent.";
    PEN_INPUT_BYTES: usize = 256 * 1_024, "Bytes of a pen's upstream inputs as JSON.";
    PEN_CODE_BYTES: usize = 64 * 1_024, "Bytes of the program that a pen's writer writes.";
    PEN_RESULT_BYTES: usize = 512 * 1_024, "Bytes of a pen's result as JSON.";
    PEN_TIMEOUT_MS: u64 = 30_000, "Milliseconds of a pen's program, unless the caller says.";
    PEN_MEMORY_MB: u64 = 512, "Mebibytes of a pen's program, unless the caller says; declared, and not enforced.";
    PEN_TMP_BYTES: usize = 16 * 1_024 * 1_024, "Bytes of all files in a pen's `tmp`, their names included.";
    PEN_SUBREQUESTS: u64 = 100, "Requests that a pen's program may make.";
    PEN_ALLOWED: usize = 16, "Hosts, and paths, that one pen may be allowed.";
    PEN_ATTEMPTS: usize = 16, "Attempts at what is forbidden that are listed for one pen; further ones count as one.";
    PEN_MANIFEST_BYTES: usize = 64 * 1_024, "Bytes of the manifest of a shared pen as JSON.";
    PEN_AUDIT_ENTRIES: usize = 200, "Entries of one page of a persona's audit.";
    PEN_PROMPT_BYTES: usize = 64 * 1_024, "Bytes of what a writer is asked, the intent included.";
    WRITER_MS: u64 = 60_000, "Milliseconds that a writer has to answer, unless the owner says.";
    WRITER_BYTES: usize = 1_024 * 1_024, "Bytes of a writer's answer.";
    WRITER_TOKENS: u64 = 4_096, "Tokens that a writer is asked for at most.";
}
