//! The intake module: an instance of its own, thrown away when it traps.

use std::cell::RefCell;

use js_sys::{
    Object, Reflect, Uint8Array,
    WebAssembly::{Instance, Memory, Module},
};
use wasm_bindgen::{JsCast, JsValue};

use super::RemoteFunction;
use crate::{
    failure::{Failure, Place},
    program::{Intake, Program, read_reply},
};

thread_local! {
    static MODULE: RefCell<Option<Module>> = const { RefCell::new(None) };
    static INSTANCE: RefCell<Option<Instance>> = const { RefCell::new(None) };
}

/// Hands over the compiled intake module; called once for each instance of the host module.
pub(crate) fn install(module: Module) {
    MODULE.set(Some(module));
}

/// Reads programs in the intake module.
pub(crate) struct WasmIntake;

impl Intake for WasmIntake {
    fn read(&self, code: &str) -> Result<Program, Failure> {
        let instance = match INSTANCE.take() {
            Some(instance) => instance,
            None => instantiate()?,
        };
        let Ok(reply) = ask(&instance, code) else {
            // It trapped: what deep text does to a parser. The instance isn't put back.
            return Err(Failure::ProgramTooDeep { place: Place::default() });
        };
        INSTANCE.set(Some(instance));
        read_reply(&reply)
    }
}

fn instantiate() -> Result<Instance, Failure> {
    MODULE
        .with_borrow(Clone::clone)
        .and_then(|module| Instance::new(&module, &Object::new()).ok())
        .ok_or(Failure::Unknown {})
}

/// Writes the code into the instance's memory, reads it, takes the reply out.
fn ask(instance: &Instance, code: &str) -> Result<Vec<u8>, JsValue> {
    let exports = instance.exports();
    let length = JsValue::from(u32::try_from(code.len()).unwrap_or(u32::MAX));
    let start = RemoteFunction::member(&exports, "reserve")?.call(&[length.clone()])?;
    bytes(&exports, &start, &length)?.copy_from(code.as_bytes());
    let reply = RemoteFunction::member(&exports, "read")?.call(&[start, length])?;
    let reply = pair(&exports, &reply)?;
    Ok(bytes(&exports, &reply.0, &reply.1)?.to_vec())
}

fn pair(exports: &JsValue, at: &JsValue) -> Result<(JsValue, JsValue), JsValue> {
    let words = js_sys::Uint32Array::new_with_byte_offset_and_length(
        &memory(exports)?.buffer(),
        number(at),
        2,
    );
    Ok((JsValue::from(words.get_index(0)), JsValue::from(words.get_index(1))))
}

fn bytes(exports: &JsValue, start: &JsValue, length: &JsValue) -> Result<Uint8Array, JsValue> {
    Ok(Uint8Array::new_with_byte_offset_and_length(
        &memory(exports)?.buffer(),
        number(start),
        number(length),
    ))
}

fn memory(exports: &JsValue) -> Result<Memory, JsValue> {
    Reflect::get(exports, &JsValue::from("memory")).map(JsCast::unchecked_into)
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "addresses of a 32-bit memory"
)]
fn number(value: &JsValue) -> u32 {
    value.as_f64().unwrap_or_default() as u32
}
