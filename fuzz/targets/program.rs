//! A program, as a model sends it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mycelium::program::{Intake, NativeIntake};

fuzz_target!(|code: &str| {
    match NativeIntake.read(code) {
        Ok(program) => assert!(!program.module.is_empty()),
        Err(failure) => {
            assert_ne!(failure.code(), "unknown", "{failure:?}");
            assert!(!failure.to_string().is_empty());
        }
    }
});
