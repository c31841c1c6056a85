//! The magic pen.

use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use worker::Env;

use super::{
    super::{
        objects::PENS,
        pen::{AiWriter, ObjectBooks, RunnerIsolates},
        ports::{self, BoundSecrets, PlatformFetch, R2Store, WasmIntake},
    },
    binding, files,
};
use crate::{
    config::{self, PenWriter},
    operation::Module,
    pen::{Archive, MemoryNotice, OfflineWriter, OpenAiWriter, PenParts, Pens, Writer},
};

thread_local! {
    // Given once an isolate.
    static MEMORY: Rc<MemoryNotice> = Rc::default();
}

/// The module `name` of a runtime whose bindings are `env` and whose context is `ctx`.
pub(super) fn module(
    name: &str,
    pen: &config::Pen,
    env: &Env,
    ctx: &JsValue,
) -> Result<Module, String> {
    binding(env, PENS, "durable_objects")?;
    let bucket = R2Store::new(binding(env, &pen.bucket, "r2_buckets")?.unchecked_into());
    let mut parts = PenParts::new(
        Rc::new(ObjectBooks::new(env.clone(), &pen.bucket)),
        Archive::new(Rc::new(bucket), &pen.shared_lib),
        writer(&pen.writer, env)?,
        Rc::new(RunnerIsolates::new(ctx.clone(), &pen.bucket)),
        Rc::new(WasmIntake),
        ports::ports(),
    );
    parts.writer_ms = pen.writer_ms;
    parts.hosts.clone_from(&pen.hosts);
    parts.personas = pen.authority();
    parts.default_lang = pen.default_lang;
    parts.memory = MEMORY.with(Rc::clone);
    if let Some(own) = &pen.files {
        parts.files = Some(Rc::new(files::port(own, env)?));
    }
    Ok(Pens::new(parts).module(name, name))
}

fn writer(writer: &PenWriter, env: &Env) -> Result<Rc<dyn Writer>, String> {
    Ok(match writer {
        PenWriter::Endpoint { url, model, secret } => {
            let (fetch, secrets) = (Rc::new(PlatformFetch), Rc::new(BoundSecrets::new(env.into())));
            let writer = OpenAiWriter::new(url, model, secret.as_deref(), fetch, secrets);
            Rc::new(writer.map_err(|error| error.to_string())?)
        }
        PenWriter::Binding { binding: name, model } => {
            Rc::new(AiWriter::new(binding(env, name, "ai")?, model))
        }
        PenWriter::Offline => Rc::new(OfflineWriter),
    })
}
