//! Rust types as schemas, and values to and from them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use schemars::{
    JsonSchema,
    generate::{SchemaGenerator, SchemaSettings},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::Fault;

/// Input of an operation that takes none: an object without members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoInput {}

/// What `T` is read from.
pub(super) fn input_document<T: JsonSchema>() -> Value {
    document::<T>(settings().for_deserialize().into_generator())
}

/// What `T` is written as.
pub(super) fn output_document<T: JsonSchema>() -> Value {
    document::<T>(settings().for_serialize().into_generator())
}

fn settings() -> SchemaSettings {
    // 2020-12 is what a schema without `$schema` is.
    SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None)
}

fn document<T: JsonSchema>(generator: SchemaGenerator) -> Value {
    generator.into_root_schema_for::<T>().to_value()
}

/// The author's decoder over what the schema took.
pub(super) fn decode<T: DeserializeOwned>(input: Value) -> Result<T, Fault> {
    match catch_unwind(AssertUnwindSafe(|| serde_json::from_value(input))) {
        Ok(decoded) => decoded.map_err(|error| {
            Fault::host("the decoder refused what the input schema takes", &error)
        }),
        Err(payload) => Err(Fault::panic("the decoder", &*payload)),
    }
}

/// The author's encoder. A panic in it is caught with the operation's own.
pub(super) fn encode<T: Serialize>(output: &T) -> Result<Value, Fault> {
    serde_json::to_value(output).map_err(|error| Fault::host("the encoder failed", &error))
}
