//! The bounds: one table, kept by the host, never widened by a guest.

use std::collections::BTreeMap;

use mycelium::{
    Mycelium, failure,
    limits::{self, TABLE},
    mcp,
    runtime::{
        Options,
        admission::{AdmissionOptions, normalize_sandbox_admission_policy},
    },
    sandbox::Limits,
    testing::Host,
};
use serde_json::json;

use super::world::{World, call, module, says};

#[test]
fn every_bound_has_the_number_that_was_decided() {
    let decided = [
        ("TIMEOUT_MS", 180_000),
        ("LONGEST_TIMEOUT_MS", 900_000),
        ("GRACE_MS", 5_000),
        ("APPROVAL_MS", 300_000),
        ("OPEN_QUESTIONS", 8),
        ("CODE_BYTES", 262_144),
        ("CALLS", 10_000),
        ("FRAME_BYTES", 8_388_608),
        ("FLIGHT_BYTES", 33_554_432),
        ("SUBREQUESTS", 10_000),
        ("RESULT_BYTES", 1_048_576),
        ("LOG_BYTES", 65_536),
        ("LOG_LINES", 1_000),
        ("SNAPSHOT_OPERATIONS", 10_000),
        ("MESSAGE_BYTES", 2_048),
        ("DESCRIPTION_BYTES", 16_384),
        ("OPENAPI_BYTES", 2_097_152),
        ("OPENAPI_DEPTH", 32),
        ("OPENAPI_NODES", 50_000),
        ("OPENAPI_OPERATIONS", 500),
        ("OPENAPI_REASONS", 32),
        ("OPENAPI_TEXT_UNITS", 2_048),
        ("OPENAPI_TITLE_UNITS", 200),
        ("OPENAPI_TAGS", 16),
        ("OPENAPI_TAG_UNITS", 64),
        ("OPENAPI_TABLE_OPERATIONS", 64),
        ("OPENAPI_TABLE_BYTES", 524_288),
        ("OPENAPI_TIMEOUT_MS", 30_000),
        ("OPENAPI_EXCERPT_BYTES", 1_024),
        ("DESCRIBE_BYTES", 65_536),
        ("METADATA_BYTES", 33_554_432),
        ("LIST_RESULTS", 50),
        ("SEARCH_RESULTS", 10),
        ("MOST_SEARCH_RESULTS", 50),
        ("QUERY_BYTES", 1_024),
        ("REPORT_BYTES", 512),
        ("PROGRESS_PARTS", 100),
        ("FILE_READ_BYTES", 1_048_576),
        ("FILE_BYTES", 4_194_304),
        ("FILE_LIST", 1_000),
        ("SEARCH_FILES", 500),
        ("SEARCH_ENTRIES", 20_000),
        ("SEARCH_BYTES", 33_554_432),
        ("SEARCH_MATCHES", 500),
        ("IGNORE_BYTES", 65_536),
        ("IGNORE_TOTAL_BYTES", 524_288),
        ("IGNORE_FILES", 256),
        ("CONNECT_SLOTS", 6),
        ("CONNECT_MS", 10_000),
        ("CONNECT_AGAIN_MS", 30_000),
        ("ADVERTISEMENT_BYTES", 1_048_576),
        ("ADVERTISED_OPERATIONS", 1_000),
        ("MCP_TIMEOUT_MS", 180_000),
        ("MCP_ANSWER_BYTES", 8_388_608),
        ("MCP_LIST_BYTES", 8_388_608),
        ("MCP_TOOLS", 2_000),
        ("MCP_PAGES", 200),
        ("MCP_FRESH_MS", 60_000),
        ("MCP_RESUMES", 16),
        ("BODY_BYTES", 4_194_304),
        ("CONNECTIONS", 8),
        ("SESSIONS_KEPT", 1_000),
        ("SESSION_TTL_MS", 86_400_000),
        ("ROW_BYTES", 1_048_576),
        ("BEGIN_MS", 100),
        ("STREAMS_KEPT", 64),
        ("STREAM_BYTES_KEPT", 8_388_608),
        ("STREAM_KEPT_MS", 600_000),
        ("KEEPALIVE_MS", 15_000),
        ("KEEPALIVE_STATELESS_MS", 5_000),
        ("RETRY_MS", 1_000),
        ("STANDALONE_MS", 300_000),
        ("PROGRESS_MS", 10_000),
    ];
    let table: BTreeMap<&str, u64> = TABLE.iter().map(|row| (row.name, row.value)).collect();
    assert_eq!(table.len(), TABLE.len(), "each bound has a name of its own");
    for (name, value) in decided {
        assert_eq!(table.get(name), Some(&value), "{name}");
    }
    assert!(TABLE.iter().all(|row| row.meaning.ends_with('.')));
}

#[test]
fn what_runs_begins_as_the_table_says() {
    let begun = Limits::default();
    assert_eq!(begun.timeout_ms, limits::TIMEOUT_MS);
    assert_eq!(begun.grace_ms, limits::GRACE_MS);
    assert_eq!(begun.cpu_ms, limits::TIMEOUT_MS);
    assert_eq!(begun.code_bytes, limits::CODE_BYTES);
    assert_eq!(begun.calls, limits::CALLS);
    assert_eq!(begun.frame_bytes, limits::FRAME_BYTES);
    assert_eq!(begun.result_bytes, limits::RESULT_BYTES);
    assert_eq!((begun.log_bytes, begun.log_lines), (limits::LOG_BYTES, limits::LOG_LINES));
    assert_eq!(begun.snapshot_operations, limits::SNAPSHOT_OPERATIONS);
    assert_eq!(begun.description_bytes, limits::DESCRIPTION_BYTES);
    assert_eq!(failure::MESSAGE_BYTES, limits::MESSAGE_BYTES);
    assert_eq!(mcp::BODY_BYTES, limits::BODY_BYTES);
    assert_eq!(mycelium_intake::CODE_LIMIT, limits::CODE_BYTES, "the intake has its own");
    let policy = normalize_sandbox_admission_policy(&AdmissionOptions::default(), None).unwrap();
    assert_eq!(policy.admission_wait_ms(), limits::TIMEOUT_MS);
}

#[test]
fn a_time_that_is_none_is_refused_when_the_runtime_opens() {
    for (timeout_ms, accepted) in [(0, false), (1, true), (900_000, true), (900_001, false)] {
        let host = Host::new();
        let limits = Limits::with_timeout(timeout_ms);
        let options = Options { limits, ..host.options(vec![module()], says(Ok("1"))) };
        let opened = Mycelium::open(options);
        assert_eq!(opened.is_ok(), accepted, "{timeout_ms}");
        if let Err(error) = opened {
            let text =
                format!("timeout_ms is {timeout_ms}: a whole number from 1 to 900000 is accepted");
            assert_eq!(error.to_string(), text);
        }
    }
}

#[test]
fn a_wrong_admission_option_is_refused_when_the_runtime_opens() {
    let host = Host::new();
    let admission = AdmissionOptions { sandbox_capacity: Some(0), admission_wait_ms: None };
    let options = Options { admission, ..host.options(vec![module()], says(Ok("1"))) };
    let error = Mycelium::open(options).err().unwrap().to_string();
    assert!(error.starts_with("sandbox_capacity is 0"), "{error}");
}

#[test]
fn nothing_that_a_guest_sends_widens_a_bound() {
    let world = World::over(says(Ok("1")));
    let lease = world.lease();
    for key in ["timeout_ms", "timeoutMs", "limits", "cpuMs", "sandboxCapacity"] {
        let mut call = call("return 1");
        call.arguments[key] = json!(900_000);
        let error = lease.execute_tool().prepare(&call).err().unwrap();
        assert!(error.to_string().starts_with("there is no argument but code"), "{error}");
    }
}
