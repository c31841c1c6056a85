//! An App's methods as operations, and their schemas for whoever runs them.

use super::{
    super::ForageError, super::OperationDefinition, AppApi, AppMethod, declaration::fault,
};
use crate::{
    operation::{Access, Labels, whole_path},
    schema::Schema,
};

/// What a method takes and gives, and what it declares of itself.
#[derive(Clone, Debug)]
pub struct MethodSchemas {
    /// The method's name within its App.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Checks what it takes.
    pub input: Schema,
    /// Checks what it gives.
    pub output: Schema,
    /// Whether it observes or changes.
    pub effect: Access,
    /// Capabilities that it needs.
    pub requirements: Vec<String>,
}

/// The methods that aren't hidden, as operations under the host's own name for the App: its
/// binding, or a role that it plays.
///
/// # Errors
///
/// A binding name that code can't say.
pub fn app_api_operations(
    binding: &str,
    api: &AppApi,
) -> Result<Vec<OperationDefinition>, ForageError> {
    whole_path(binding).map_err(|rule| fault(binding, rule))?;
    Ok(shown(api).map(|(name, method)| operation(binding, name, method)).collect())
}

/// The schemas of every method, the hidden ones too, for direct calls.
#[must_use]
pub fn app_method_schemas(api: &AppApi) -> Vec<MethodSchemas> {
    api.methods().map(|(name, method)| schemas(name, method)).collect()
}

/// The schemas of the methods that aren't hidden, for tools.
#[must_use]
pub fn app_tool_schemas(api: &AppApi) -> Vec<MethodSchemas> {
    shown(api).map(|(name, method)| schemas(name, method)).collect()
}

/// What discovery and tools both show.
fn shown(api: &AppApi) -> impl Iterator<Item = (&str, &AppMethod)> {
    api.methods().filter(|(_, method)| !method.hidden)
}

fn operation(binding: &str, name: &str, method: &AppMethod) -> OperationDefinition {
    let labels = Labels { access: method.effect, ..Labels::default() };
    let mut operation = OperationDefinition::new(format!("{binding}.{name}"), method.input.clone())
        .describe(&method.description)
        .output(method.output.clone())
        .labels(labels)
        .note(format!("Effect: {}.", method.effect));
    for requirement in &method.requirements {
        operation = operation.note(format!("Requires: {requirement}"));
    }
    operation
}

fn schemas(name: &str, method: &AppMethod) -> MethodSchemas {
    MethodSchemas {
        name: name.to_owned(),
        description: method.description.clone(),
        input: method.input.clone(),
        output: method.output.clone(),
        effect: method.effect,
        requirements: method.requirements.clone(),
    }
}
