//! Fault injection, in test builds only.

use serde_json::json;

use super::ports::PlatformTimer;
use crate::{
    operation::{Module, Operation, OperationError},
    port::Timer,
    schema::{Schema, SchemaError},
};

/// The module `faults`: operations that fail the way a host can fail.
pub(super) fn module() -> Result<Module, SchemaError> {
    let any = Schema::new(json!({}))?;
    Ok(Module::new("test-faults", "faults")
        .operation("panic", Operation::new(any.clone(), |_, _| async { Ok(panic_now()) }))
        .operation("overflow", Operation::new(any.clone(), |_, _| async { Ok(json!(descend(1))) }))
        .operation(
            "wait",
            Operation::new(any, |input, _| async move {
                let ms = input.get("ms").and_then(serde_json::Value::as_u64);
                let ms = ms.ok_or_else(|| OperationError::new("ms is a whole number"))?;
                PlatformTimer.sleep(ms).await;
                Ok(json!({"waited": ms}))
            }),
        ))
}

/// Panics.
#[allow(clippy::panic, reason = "that is what it is for")]
pub(super) fn panic_now() -> serde_json::Value {
    panic!("injected")
}

/// Recurses until the stack is gone.
pub(super) fn descend(depth: u64) -> u64 {
    let mut frame = [depth; 64];
    std::hint::black_box(&mut frame);
    if depth == 0 {
        return 0;
    }
    descend(depth.wrapping_add(1)).wrapping_add(frame.iter().sum())
}
