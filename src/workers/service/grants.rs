//! Setting the grants of a principal's sessions, for the Workers that are bound to that.

use worker::Env;

use super::{super::app::app, failed, settings};
use crate::{
    config::{SessionRule, Settings},
    failure::Failure,
    operation::Module,
    runtime::access::Grants,
    service::{self, Argument, RequestError, SetGrants},
    workers::{objects, ports},
};

/// Sets them, and says what stood.
pub(super) async fn set(argument: Result<Argument, RequestError>, env: &Env) -> String {
    let settings = match settings(env) {
        Ok(settings) => settings,
        Err(reply) => return reply,
    };
    match stored(argument, &settings, env).await {
        Ok(replaced) => service::grants_set(replaced.as_ref()),
        Err(failure) => failed(&failure),
    }
}

async fn stored(
    argument: Result<Argument, RequestError>,
    settings: &Settings,
    env: &Env,
) -> Result<Option<Grants>, Failure> {
    let argument = argument?;
    if settings.grants.session() == SessionRule::Off {
        let problem = "session grants are off here: its owner turns them on by session = \
                       \"narrow\" or \"set\" under [grants] in mycelium.toml";
        return Err(RequestError::new("", problem).into());
    }
    let app = app(env);
    let built_in = app.modules.iter().map(Module::id);
    let known: Vec<&str> =
        settings.connections.keys().map(String::as_str).chain(built_in).collect();
    // What a source will have, nobody knows.
    let known = app.sources.is_empty().then_some(known.as_slice());
    let SetGrants { principal, grants } = SetGrants::read(argument, known)?;
    objects::set_grants(env, &principal, &grants).await.map_err(|problem| {
        ports::ports().console.warn(&format!("a principal's grants can't be set: {problem}"));
        Failure::GrantsUnreachable {}
    })
}
