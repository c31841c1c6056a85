//! The intake module: an instance of its own, thrown away when it traps.

use std::cell::RefCell;

use js_sys::{
    ArrayBuffer, BigInt, Object, Reflect, Uint8Array,
    WebAssembly::{Instance, Memory, Module},
};
use wasm_bindgen::{JsCast, JsValue};

use super::{RemoteFunction, console::PlatformConsole};
use crate::{
    failure::{Failure, Place},
    port::Console,
    program::{Intake, Program, read_reply},
};

thread_local! {
    static MODULE: RefCell<Option<Module>> = const { RefCell::new(None) };
    static INSTANCE: RefCell<Option<Instance>> = const { RefCell::new(None) };
}

/// An instance whose memory has grown beyond this is thrown away: memory never shrinks.
const KEPT_BYTES: u32 = 16 * 1_024 * 1_024;

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
        // An instance that fails isn't put back.
        let reply = ask(&instance, code).map_err(|trap| trapped(&trap))?;
        if memory(&instance.exports()).is_ok_and(|memory| memory.byte_length() <= KEPT_BYTES) {
            INSTANCE.set(Some(instance));
        }
        read_reply(&reply)
    }
}

/// What a trap means. Only a stack that is gone is the program's doing.
fn trapped(trap: &JsValue) -> Failure {
    let text = format!("{trap:?}");
    if STACK_GONE.iter().any(|said| text.contains(said)) {
        return Failure::ProgramTooDeep { place: Place::default() };
    }
    PlatformConsole.warn(&format!("the intake failed: {text}"));
    Failure::Unknown {}
}

/// How the engine says that a stack is gone: its own, or the module's.
const STACK_GONE: [&str; 2] = ["Maximum call stack size exceeded", "memory access out of bounds"];

fn instantiate() -> Result<Instance, Failure> {
    MODULE
        .with_borrow(Clone::clone)
        .and_then(|module| Instance::new(&module, &Object::new()).ok())
        .ok_or(Failure::Unknown {})
}

/// Writes the code into the instance's memory, has it read, takes the answer out.
fn ask(instance: &Instance, code: &str) -> Result<Vec<u8>, JsValue> {
    let exports = instance.exports();
    let length = u32::try_from(code.len()).unwrap_or(u32::MAX);
    let room = RemoteFunction::member(&exports, "reserve")?.call(&[length.into()])?;
    let room = address(&room)?;
    view(&exports, room, length)?.copy_from(code.as_bytes());
    let read = RemoteFunction::member(&exports, "read")?;
    let packed = packed(read.call(&[room.into(), length.into()])?)?;
    Ok(view(&exports, high(packed), low(packed))?.to_vec())
}

/// The instance's memory as it is now: it may have grown since it was last looked at.
fn view(exports: &JsValue, start: u32, length: u32) -> Result<Uint8Array, JsValue> {
    Ok(Uint8Array::new_with_byte_offset_and_length(&memory(exports)?.into(), start, length))
}

fn memory(exports: &JsValue) -> Result<ArrayBuffer, JsValue> {
    let memory: Memory = Reflect::get(exports, &JsValue::from("memory"))?.unchecked_into();
    Ok(memory.buffer().unchecked_into())
}

/// A 32-bit address, which JavaScript sees as a signed number.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the bits of an i32 are the address"
)]
fn address(number: &JsValue) -> Result<u32, JsValue> {
    let number = number.as_f64().ok_or_else(|| JsValue::from("no address"))?;
    Ok(number as i64 as u32)
}

/// The 64 bits that hold the answer's address and length.
fn packed(number: JsValue) -> Result<u64, JsValue> {
    let number: BigInt = number.dyn_into()?;
    u64::try_from(BigInt::as_uint_n(64.0, &number)).map_err(JsValue::from)
}

fn high(packed: u64) -> u32 {
    u32::try_from(packed >> 32).unwrap_or_default()
}

fn low(packed: u64) -> u32 {
    u32::try_from(packed & u64::from(u32::MAX)).unwrap_or_default()
}
