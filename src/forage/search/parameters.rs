//! The parameters that a schema names, read from its text: a search keeps none of it.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Parameters that count.
const PARAMETERS: usize = 64;
/// How deep parameters are looked for.
const DEPTH: usize = 3;

/// What is said of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Name,
    Description,
}

/// Tells `hear` of the parameters in the text of a schema, as they come.
pub(super) fn parameters(text: &str, hear: &mut dyn FnMut(Said, &str)) {
    let mut reader = Reader { hear, left: PARAMETERS };
    let root = Part { reader: &mut reader, role: Role::Schema, depth: DEPTH };
    // A schema's text was written from a value: it can be read.
    let _ = root.deserialize(&mut serde_json::Deserializer::from_str(text));
}

struct Reader<'h> {
    hear: &'h mut dyn FnMut(Said, &str),
    /// Parameters that still count.
    left: usize,
}

/// What a part of the document is.
#[derive(Clone, Copy)]
enum Role {
    /// The root, or what a list's items are.
    Schema,
    /// A parameter's schema.
    Parameter,
    /// A map of parameters.
    Parameters,
    /// A text or a key that is told.
    Told(Said),
}

/// One part that is about to be read.
struct Part<'r, 'h> {
    reader: &'r mut Reader<'h>,
    role: Role,
    /// Levels of parameters that are still looked into.
    depth: usize,
}

impl Part<'_, '_> {
    fn schema<'de, A: MapAccess<'de>>(self, mut map: A, named: bool) -> Result<(), A::Error> {
        let Self { reader, depth, .. } = self;
        while let Some(key) = map.next_key::<Keyword>()? {
            let (role, depth) = match (key, depth.checked_sub(1)) {
                (Keyword::Description, _) if named => (Role::Told(Said::Description), 0),
                (Keyword::Items, Some(depth)) => (Role::Schema, depth),
                (Keyword::Properties, Some(depth)) => (Role::Parameters, depth),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            map.next_value_seed(Part { reader: &mut *reader, role, depth })?;
        }
        Ok(())
    }

    fn parameters<'de, A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { reader, depth, .. } = self;
        while let Some(rest) = reader.left.checked_sub(1) {
            let name = Part { reader: &mut *reader, role: Role::Told(Said::Name), depth };
            if map.next_key_seed(name)?.is_none() {
                return Ok(());
            }
            reader.left = rest;
            map.next_value_seed(Part { reader: &mut *reader, role: Role::Parameter, depth })?;
        }
        ignored(map)
    }
}

fn ignored<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

impl<'de> DeserializeSeed<'de> for Part<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// What has no part in this, such as a schema that is `true`, is passed over.
impl<'de> Visitor<'de> for Part<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a part of a schema")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if let Role::Told(said) = self.role {
            (self.reader.hear)(said, text);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        match self.role {
            Role::Schema => self.schema(map, false),
            Role::Parameter => self.schema(map, true),
            Role::Parameters => self.parameters(map),
            Role::Told(_) => ignored(map),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// The keywords that lead to parameters.
enum Keyword {
    Description,
    Items,
    Properties,
    Other,
}

impl<'de> serde::Deserialize<'de> for Keyword {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Named;
        impl Visitor<'_> for Named {
            type Value = Keyword;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a keyword")
            }

            fn visit_str<E>(self, name: &str) -> Result<Keyword, E> {
                Ok(match name {
                    "description" => Keyword::Description,
                    "items" => Keyword::Items,
                    "properties" => Keyword::Properties,
                    _ => Keyword::Other,
                })
            }
        }
        deserializer.deserialize_str(Named)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{PARAMETERS, Said, parameters};

    fn heard(schema: &Value) -> Vec<String> {
        let mut heard = Vec::new();
        parameters(&schema.to_string(), &mut |said, text| {
            heard.push(format!("{}{text}", if said == Said::Name { "" } else { "- " }));
        });
        heard
    }

    #[test]
    fn parameters_are_told_with_their_descriptions_three_levels_deep() {
        let deep =
            json!({"properties": {"d": {"description": "\"D\"", "properties": {"e": true}}}});
        let schema = json!({
            "description": "the whole",
            "properties": {
                "a": {"description": "A", "items": {"description": "no", "properties": {"b": {}}}},
                "description": {"description": ["none"], "properties": {"c": deep}},
                "items": false, "properties": {"type": ["null", "number"], "default": [1.5, -1, null, {}]},
            },
        });
        assert_eq!(
            heard(&schema),
            ["a", "- A", "b", "description", "c", "d", "- \"D\"", "items", "properties"]
        );
    }

    #[test]
    fn what_names_no_parameters_tells_of_none() {
        for schema in [
            json!(true),
            json!({}),
            json!({"items": [{"properties": {"a": {}}}]}),
            json!({"type": "string"}),
        ] {
            assert_eq!(heard(&schema), [""; 0], "{schema}");
        }
    }

    #[test]
    fn only_the_first_parameters_count() {
        let properties: serde_json::Map<_, _> =
            (0..100).map(|at| (format!("p{at}"), json!({}))).collect();
        let heard =
            heard(&json!({"properties": {"first": {"properties": properties}, "last": {}}}));
        assert_eq!(heard.len(), PARAMETERS);
    }
}
