//! Whether JSON says all of a Rust value.
//!
//! `serde_json` writes a number that isn't finite as `null` and keeps the last of
//! two members of one name. This walk finds both, and where, before it can happen.

use std::{collections::BTreeSet, fmt};

use serde::{Serialize, Serializer, ser};
use serde_json::Value;

/// Looks at `value` without making anything of it.
///
/// # Errors
///
/// What JSON can't say, and the JSON Pointer to it; or the encoder's own error.
pub(super) fn check<T: Serialize + ?Sized>(value: &T) -> Result<(), Loss> {
    value.serialize(Walk)
}

/// What JSON would lose.
#[derive(Debug)]
pub(super) struct Loss {
    problem: String,
    /// From the value outwards.
    path: Vec<String>,
    encoder: bool,
}

impl Loss {
    fn of(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), path: Vec::new(), encoder: false }
    }

    fn under(mut self, segment: impl fmt::Display) -> Self {
        self.path.push(segment.to_string().replace('~', "~0").replace('/', "~1"));
        self
    }

    /// Whether the author's encoder gave up by itself.
    pub(super) fn is_encoder(&self) -> bool {
        self.encoder
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("at ")?;
        self.path.iter().rev().try_for_each(|segment| write!(formatter, "/{segment}"))?;
        if self.path.is_empty() {
            formatter.write_str("/")?;
        }
        write!(formatter, ": {}", self.problem)
    }
}

impl std::error::Error for Loss {}

impl ser::Error for Loss {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { encoder: true, ..Self::of(message.to_string()) }
    }
}

/// Walks one value.
struct Walk;

/// Walks the items of an array, with their number so far.
struct Items(u64);

/// Walks the members of an object, with their names so far.
#[derive(Default)]
struct Members {
    names: BTreeSet<String>,
    name: String,
}

impl Members {
    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Loss> {
        if !self.names.insert(name.to_owned()) {
            return Err(Loss::of("the object has two members of this name").under(name));
        }
        check(value).map_err(|loss| loss.under(name))
    }
}

impl Items {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Loss> {
        let index = self.0;
        self.0 = index.saturating_add(1);
        check(value).map_err(|loss| loss.under(index))
    }
}

/// A key as the object will have it.
fn key_text<T: Serialize + ?Sized>(key: &T) -> Result<String, Loss> {
    match key.serialize(serde_json::value::Serializer) {
        Ok(Value::String(text)) => Ok(text),
        Ok(other) => Ok(other.to_string()),
        Err(error) => Err(ser::Error::custom(error)),
    }
}

fn finite(number: f64) -> Result<(), Loss> {
    if number.is_finite() {
        return Ok(());
    }
    Err(Loss::of(format!("{number} is no JSON number")))
}

macro_rules! says {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, _: $type) -> Result<(), Loss> { Ok(()) })*
    };
}

impl Serializer for Walk {
    type Ok = ();
    type Error = Loss;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    says! {
        serialize_bool: bool, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_i128: i128, serialize_u128: u128, serialize_unit_struct: &'static str,
    }

    fn serialize_f32(self, number: f32) -> Result<(), Loss> {
        finite(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Loss> {
        finite(number)
    }

    fn serialize_none(self) -> Result<(), Loss> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Loss> {
        check(value)
    }

    fn serialize_unit(self) -> Result<(), Loss> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &str, _: u32, _: &str) -> Result<(), Loss> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &str,
        value: &T,
    ) -> Result<(), Loss> {
        check(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &str,
        _: u32,
        variant: &str,
        value: &T,
    ) -> Result<(), Loss> {
        check(value).map_err(|loss| loss.under(variant))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, Loss> {
        Ok(Items(0))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items, Loss> {
        Ok(Items(0))
    }

    fn serialize_tuple_struct(self, _: &str, _: usize) -> Result<Items, Loss> {
        Ok(Items(0))
    }

    fn serialize_tuple_variant(self, _: &str, _: u32, _: &str, _: usize) -> Result<Items, Loss> {
        Ok(Items(0))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members, Loss> {
        Ok(Members::default())
    }

    fn serialize_struct(self, _: &str, _: usize) -> Result<Members, Loss> {
        Ok(Members::default())
    }

    fn serialize_struct_variant(self, _: &str, _: u32, _: &str, _: usize) -> Result<Members, Loss> {
        Ok(Members::default())
    }
}

macro_rules! items {
    ($($trait:ident $method:ident),* $(,)?) => {$(
        impl ser::$trait for Items {
            type Ok = ();
            type Error = Loss;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Loss> {
                self.item(value)
            }

            fn end(self) -> Result<(), Loss> {
                Ok(())
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

macro_rules! members {
    ($($trait:ident),* $(,)?) => {$(
        impl ser::$trait for Members {
            type Ok = ();
            type Error = Loss;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Loss> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), Loss> {
                Ok(())
            }
        }
    )*};
}

members! { SerializeStruct, SerializeStructVariant }

impl ser::SerializeMap for Members {
    type Ok = ();
    type Error = Loss;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Loss> {
        self.name = key_text(key)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Loss> {
        let name = std::mem::take(&mut self.name);
        self.member(&name, value)
    }

    fn end(self) -> Result<(), Loss> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::json;

    use super::check;

    #[derive(Serialize)]
    struct Named {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, f64>,
    }

    #[derive(Serialize)]
    enum Shape {
        Circle(f64),
        Point(f64, f32),
        Line { from: Option<f64> },
        Nothing,
    }

    fn found<T: Serialize>(value: T) -> String {
        check(&value).map_or_else(|loss| loss.to_string(), |()| "all".to_owned())
    }

    #[test]
    fn a_number_that_json_can_not_say_is_found_wherever_it_is() {
        let cases = [
            (found(f64::NAN), "at /: NaN is no JSON number"),
            (found(f32::INFINITY), "at /: inf is no JSON number"),
            (found(vec![Some(1.0), None, Some(f64::NAN)]), "at /2: NaN"),
            (found(Shape::Circle(f64::NEG_INFINITY)), "at /Circle: -inf"),
            (found((1, Shape::Line { from: Some(f64::NAN) })), "at /1/from: NaN"),
            (found(Shape::Point(0.0, f32::NAN)), "at /1: NaN"),
            (found(BTreeMap::from([("a/b~", f64::NAN)])), "at /a~1b~0: NaN"),
        ];
        for (found, expected) in cases {
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn two_members_of_one_name_are_found() {
        let rest = BTreeMap::from([("id".to_owned(), 1.0)]);
        let found = found(Named { id: 1, rest });
        assert_eq!(found, "at /id: the object has two members of this name");
    }

    #[test]
    fn what_json_can_say_passes() {
        for found in [
            found(json!({"a": [1, -1.5, null, "x", {"b": true}]})),
            found(Named { id: 1, rest: BTreeMap::from([("x".to_owned(), 1.0)]) }),
            found(BTreeMap::from([(1, 'a'), (2, 'b')])),
            found((Shape::Nothing, Shape::Point(1.0, 2.0), u64::MAX, ())),
        ] {
            assert_eq!(found, "all");
        }
    }
}
