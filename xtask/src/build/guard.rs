//! Corrects what the generated bindings do when an instance is lost.
//!
//! As generated, the first call after a loss starts a fresh instance and goes on
//! with its own arguments, which are addresses in the lost one: a callback of the
//! lost instance would run on foreign memory. And the loss is announced to Rust
//! code in the lost instance, whose stack may be gone.
//!
//! As patched, a loss is announced to a JavaScript listener (`onLost`), every call
//! throws until the entry has started a fresh instance, and nothing more runs in
//! the lost one.
//!
//! Two things more, for speed: Rust's tasks are queued by a settled promise. The
//! platform's `queueMicrotask` wraps its callback in an object of its own, twice, which
//! costs 5 of the 65 µs of a program's call. And a string crosses character by character
//! as long as it is ASCII: a long one is copied by the platform instead, which takes a
//! tenth of the time.

use std::{fs, path::Path};

use crate::failure::Failure;

/// One change: what the generator writes, and what must stand there instead.
struct Change {
    generated: &'static str,
    wanted: &'static str,
}

const CHANGES: [Change; 4] = [
    Change {
        generated: "        if (__wbg_reinit_scheduled) {
            __wbg_reset_state();
            return;
        }throw new Error('Module terminated');

    } else if (__wbg_reinit_scheduled) {
        __wbg_reset_state();
    }",
        wanted:
            "        throw new Error('execution-lost: a call came for an instance that is gone');
    }",
    },
    Change {
        generated: "function __wbg_call_abort_hook() {
    __wbg_called_abort = true;
    try {
        const idx = getInt32ArrayMemory0()[wasm.__abort_handler.value / 4];
        if (idx) wasm.__wbindgen_export.get(idx)();
    } catch(_) {}",
        wanted: "function __wbg_call_abort_hook(cause) {
    __wbg_called_abort = true;
    lostListener(cause);",
    },
    Change {
        generated: "    let offset = 0;

    for (; offset < len; offset++) {",
        wanted: "    let offset = 0;

    if (len > 256) {
        const { read, written } = cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len));
        if (read === len) {
            WASM_VECTOR_LEN = written;
            return ptr;
        }
        // It isn't ASCII: what is left needs more room.
        const rest = arg.slice(read);
        const room = written + rest.length * 3;
        ptr = realloc(ptr, len, room, 1) >>> 0;
        const left = getUint8ArrayMemory0().subarray(ptr + written, ptr + room);
        WASM_VECTOR_LEN = written + cachedTextEncoder.encodeInto(rest, left).written;
        return realloc(ptr, room, WASM_VECTOR_LEN, 1) >>> 0;
    }
    for (; offset < len; offset++) {",
    },
    Change {
        generated: "    __wbg_call_abort_hook();
    throw e;",
        wanted: "    __wbg_call_abort_hook(e);
    throw e;",
    },
];

const LISTENER: &str = "
let lostListener = () => {};
/** Calls `listener` once for each instance that is lost, with what it was lost by. */
export function onLost(listener) {
    lostListener = listener;
}
/** The module's own exports. */
export function instance() {
    return wasm;
}
";

/// The generated call that the function below stands in for, by its name.
const QUEUED: &str = "            queueMicrotask(arg0);";

const QUEUE: &str = "
const settled = Promise.resolve();
const queueMicrotask = (task) => void settled.then(task);
";

/// Rewrites the generated file at `glue`.
///
/// Fails when the generated text isn't the one these changes were written for, so
/// that a new generator can't silently bring the faults back.
pub(crate) fn patch(glue: &Path) -> Result<(), Failure> {
    let mut text = fs::read_to_string(glue).map_err(|error| Failure::file(glue, &error))?;
    for change in CHANGES {
        found_once(&text, change.generated)?;
        text = text.replacen(change.generated, change.wanted, 1);
    }
    found_once(&text, QUEUED)?;
    text.push_str(LISTENER);
    text.push_str(QUEUE);
    fs::write(glue, text).map_err(|error| Failure::file(glue, &error))
}

fn found_once(text: &str, generated: &str) -> Result<(), Failure> {
    if text.matches(generated).count() == 1 {
        return Ok(());
    }
    let problem = format!("the generated bindings have changed; expected:\n{generated}");
    Err(Failure::step("patch the bindings", &problem))
}
