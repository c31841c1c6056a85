//! Rust types as schemas, and values to and from them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Number, Value};

use super::{Fault, lossless};

/// Input of an operation that takes none: an object without members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoInput {}

/// What `T` is read from.
pub(super) fn input_document<T: JsonSchema>() -> Value {
    document::<T>(settings().for_deserialize().with_transform(RecursiveTransform(bound)))
}

/// What `T` is written as.
pub(super) fn output_document<T: JsonSchema>() -> Value {
    document::<T>(settings().for_serialize())
}

fn settings() -> SchemaSettings {
    // 2020-12 is what a schema without `$schema` is.
    SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None)
}

fn document<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // A title that only repeats the Rust type's name tells a model nothing.
    if schema.get("title").and_then(Value::as_str) == Some(&*T::schema_name()) {
        schema.remove("title");
    }
    schema.to_value()
}

/// Says the bounds that a format only names, so that a number which the type
/// can't hold is refused as input, and doesn't break the decoder afterwards.
fn bound(schema: &mut Schema) {
    let Some((least, most)) = schema.get("format").and_then(Value::as_str).and_then(bounds) else {
        return;
    };
    for (keyword, exclusive, limit) in
        [("minimum", "exclusiveMinimum", least), ("maximum", "exclusiveMaximum", most)]
    {
        if schema.get(keyword).is_none() && schema.get(exclusive).is_none() {
            schema.insert(keyword.to_owned(), Value::Number(limit));
        }
    }
}

/// The bounds of a numeric format; what is wider than 64 bits is held to what a
/// JSON number of ours holds exactly.
fn bounds(format: &str) -> Option<(Number, Number)> {
    let float = |limit: f32| Number::from_f64(limit.into());
    Some(match format {
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "uint32" => (u32::MIN.into(), u32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        "int" => (isize::MIN.into(), isize::MAX.into()),
        "uint" => (usize::MIN.into(), usize::MAX.into()),
        "int128" => (i64::MIN.into(), u64::MAX.into()),
        "uint64" | "uint128" => (u64::MIN.into(), u64::MAX.into()),
        "float" => (float(f32::MIN)?, float(f32::MAX)?),
        _ => return None,
    })
}

/// The author's decoder over what the schema took.
pub(super) fn decode<T: DeserializeOwned>(mut input: Value) -> Result<T, Fault> {
    spell_integers(&mut input);
    match catch_unwind(AssertUnwindSafe(|| serde_json::from_value(input))) {
        Ok(decoded) => decoded.map_err(|error| {
            Fault::host("the decoder refused what the input schema takes", &error)
        }),
        Err(payload) => Err(Fault::panic("the decoder", &*payload)),
    }
}

/// In JSON Schema `5.0` and `5e0` are the integer 5; Rust's integers are read from
/// `5` alone.
fn spell_integers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(integer) = number.as_f64().filter(|_| number.is_f64()).and_then(integer) {
                *number = integer;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(spell_integers),
        Value::Object(members) => members.values_mut().for_each(spell_integers),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The integer of exactly this value, if 64 bits hold it; there is none for `-0.0`.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "casts saturate, and what they changed is not taken"
)]
fn integer(float: f64) -> Option<Number> {
    let signed = float as i64;
    if (signed as f64).to_bits() == float.to_bits() && signed != i64::MAX {
        return Some(signed.into());
    }
    let unsigned = float as u64;
    ((unsigned as f64).to_bits() == float.to_bits() && unsigned != u64::MAX)
        .then(|| unsigned.into())
}

/// The author's encoder. A panic in it is caught with the operation's own.
pub(super) fn encode<T: Serialize>(output: &T) -> Result<Value, Fault> {
    let broken = |error: &dyn std::fmt::Display| Fault::host("the encoder failed", error);
    lossless::check(output).map_err(|loss| {
        if loss.is_encoder() { broken(&loss) } else { Fault::Output { problem: loss.to_string() } }
    })?;
    serde_json::to_value(output).map_err(|error| broken(&error))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::{Value, json};

    use super::{decode, encode, input_document, output_document, spell_integers};
    use crate::{operation::Fault, schema::Schema};

    fn takes<T: JsonSchema>(value: &Value) -> bool {
        Schema::new(input_document::<T>()).is_ok_and(|schema| schema.validate(value).is_ok())
    }

    #[test]
    fn input_is_described_as_it_is_read_and_output_as_it_is_written() {
        #[derive(Serialize, Deserialize, JsonSchema)]
        struct Both {
            #[serde(default)]
            size: u8,
            #[serde(skip_serializing_if = "Option::is_none")]
            note: Option<String>,
            #[serde(rename(serialize = "out", deserialize = "in"))]
            name: String,
        }
        assert_eq!(input_document::<Both>()["required"], json!(["in"]));
        assert_eq!(output_document::<Both>()["required"], json!(["size", "out"]));
    }

    #[test]
    fn a_schema_says_nothing_of_rust() {
        let document = input_document::<super::NoInput>();
        let expected = json!({
            "type": "object",
            "description": "Input of an operation that takes none: an object without members.",
            "additionalProperties": false,
        });
        assert_eq!(document, expected);
    }

    macro_rules! numbers_fit {
        ($($type:ident),*) => {$(
            let least = json!($type::MIN);
            let most = json!($type::MAX);
            assert!(takes::<$type>(&least) && takes::<$type>(&most), stringify!($type));
            assert_eq!(decode::<$type>(least), Ok($type::MIN));
            assert_eq!(decode::<$type>(most), Ok($type::MAX));
            for outside in [json!(1e300), json!(-1e300)] {
                assert!(!takes::<$type>(&outside), "{} {outside}", stringify!($type));
            }
        )*};
    }

    #[test]
    fn a_number_that_its_type_can_not_hold_is_no_input() {
        numbers_fit!(i8, i16, i32, i64, u8, u16, u32, u64, usize, isize);
        assert!(
            !takes::<u32>(&json!(4_294_967_296_u64)) && !takes::<i32>(&json!(-2_147_483_649_i64))
        );
        assert!(!takes::<f32>(&json!(1e300)) && takes::<f32>(&json!(1e38)));
        assert!(!takes::<Vec<Option<i64>>>(&json!([1e19])));
    }

    #[test]
    fn an_integer_is_read_however_it_is_spelled() {
        assert_eq!(decode::<(u8, i64)>(json!([5.0, -2.0])), Ok((5, -2)));
        assert_eq!(decode::<f64>(json!(5.0)), Ok(5.0));
        assert_eq!(decode::<f64>(json!(-0.0)).map(f64::to_bits), Ok((-0.0_f64).to_bits()));
    }

    #[test]
    fn an_encoder_that_fails_is_a_host_fault() {
        let keyed = std::collections::BTreeMap::from([(vec![1], 1)]);
        assert!(matches!(encode(&keyed), Err(Fault::Host { .. })));
        assert!(matches!(encode(&u128::MAX), Err(Fault::Host { .. })));
    }

    #[test]
    fn a_value_that_json_would_lose_is_an_output_fault() {
        let problem = "at /0: NaN is no JSON number".to_owned();
        assert_eq!(encode(&[Some(f64::NAN)]), Err(Fault::Output { problem }));
    }

    proptest! {
        #[test]
        fn spelling_an_integer_changes_no_value(float in any::<f64>(), whole in any::<i64>()) {
            #[allow(clippy::cast_precision_loss, reason = "any float will do")]
            for number in [float, float.trunc(), whole as f64] {
                let Some(number) = serde_json::Number::from_f64(number) else { continue };
                let mut spelled = Value::Number(number.clone());
                spell_integers(&mut spelled);
                let bits = |value: Option<f64>| value.map(f64::to_bits);
                prop_assert_eq!(bits(spelled.as_f64()), bits(number.as_f64()));
            }
        }
    }
}
