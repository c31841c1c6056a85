//! Serving other Workers that are bound to this one.
//!
//! Owns how their values and functions cross. What a request means is
//! [`service`](crate::service)'s.

mod argument;
mod grants;
mod stub;

use std::rc::Rc;

use js_sys::JsString;
use wasm_bindgen::JsValue;
use worker::Env;

use super::{http, ports, runtime, status};
use crate::{
    config::Settings,
    failure::{Failure, Reference},
    service::{self, Host, Method},
};

/// The method of the entry point for grants, which the default one doesn't have.
const SET_GRANTS: &str = "setGrants";

/// What requests in this context are served by.
///
/// # Errors
///
/// The reply that says which settings are wrong.
fn host(env: &Env, ctx: JsValue) -> Result<Host, String> {
    let settings = settings(env)?;
    let options = runtime::options(&settings, env, ctx);
    let (granted, env) = (settings.grants.of_service(), env.clone());
    let status = Rc::new(move || status::status(&settings, &env));
    Ok(Host { options, granted, status })
}

fn settings(env: &Env) -> Result<Rc<Settings>, String> {
    runtime::settings(env).map_err(|errors| {
        let problem = http::config_text(&errors).as_string().unwrap_or_default();
        // The caller can't mend it, and isn't shown it.
        ports::ports().console.warn(&format!("config-invalid: {problem}"));
        failed(&Failure::Unknown {})
    })
}

fn failed(failure: &Failure) -> String {
    service::failed(failure, None)
}

/// The reply to a request that failed in the host; the cause is in the log, under the
/// reference.
pub(crate) fn failed_reply() -> (String, String) {
    let reference = Reference::new(ports::ports().random.bits());
    (reference.to_string(), service::failed(&Failure::Unknown {}, Some(reference)))
}

/// Serves a request of the method `name` with what it is to be answered.
pub(crate) async fn serve(name: String, request: JsValue, env: Env, ctx: JsValue) -> JsString {
    let argument = argument::read(&request);
    drop(request);
    if name == SET_GRANTS {
        return grants::set(argument, &env).await.into();
    }
    let Some(method) = Method::named(&name) else { return failed(&Failure::Unknown {}).into() };
    match host(&env, ctx) {
        Ok(host) => service::serve(host, method, argument).await.into(),
        Err(reply) => reply.into(),
    }
}

/// Begins what a request of `execute` asks for.
pub(crate) fn begin(
    request: &JsValue,
    env: &Env,
    ctx: JsValue,
) -> (Option<service::Execution>, futures::future::LocalBoxFuture<'static, String>) {
    let argument = argument::read(request);
    match host(env, ctx) {
        Ok(host) => {
            let (execution, reply) = service::begin(host, argument);
            (Some(execution), reply)
        }
        Err(reply) => (None, Box::pin(async move { reply })),
    }
}
