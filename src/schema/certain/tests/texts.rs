//! Schemas, values that they may take, and texts that are nearly those values'.

use serde_json::{Map, Value, json};

/// Numbers without end, from a seed.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

const NAMES: [&str; 5] = ["a", "b", "id", "é", "kind"];
const STRINGS: [&str; 7] = ["", "a", "b", "é😀", "\n", "long enough a text", "\u{7f}\"\\"];

pub(super) fn leaf(chance: &mut Chance) -> Value {
    match chance.below(9) {
        0 => json!(null),
        1 => json!(chance.below(2) == 0),
        2 => json!(chance.below(5)),
        3 => json!(-3),
        4 => json!(f64::from(u32::try_from(chance.below(9)).unwrap()) / 4.0),
        5 => chance
            .one(&[
                json!(u64::MAX),
                json!(9_007_199_254_740_993_u64),
                json!(0.1),
                json!(1e300),
                json!(5.0),
            ])
            .clone(),
        _ => json!(chance.one(&STRINGS)),
    }
}

/// A document of the known keywords and a few others.
pub(super) fn document(chance: &mut Chance, levels: usize) -> Value {
    if levels == 0 || chance.below(12) == 0 {
        return chance
            .one(&[
                json!(true),
                json!({}),
                json!({"type": "string"}),
                json!({"$ref": "#/$defs/d"}),
                json!(false),
            ])
            .clone();
    }
    let mut made = Map::new();
    for _ in 0..1 + chance.below(3) {
        let below = levels - 1;
        let count = 1 + chance.below(3);
        let (keyword, value) = match chance.below(21) {
            0..=3 => {
                (
                    "type",
                    json!(chance.one(&[
                        "object", "array", "string", "number", "integer", "null", "boolean"
                    ])),
                )
            }
            4 => ("type", json!(["array", "object", "string", "integer"])),
            5..=7 => (
                "properties",
                Value::Object(
                    NAMES
                        .iter()
                        .take(count)
                        .map(|name| ((*name).to_owned(), document(chance, below)))
                        .collect(),
                ),
            ),
            8 => ("required", json!(NAMES[..count])),
            9 => ("additionalProperties", document(chance, below)),
            10 => ("items", document(chance, below)),
            11 => ("prefixItems", (0..count).map(|_| document(chance, below)).collect()),
            12 => ("anyOf", (0..count).map(|_| document(chance, below)).collect()),
            13 => ("oneOf", (0..count).map(|_| document(chance, below)).collect()),
            14 => ("allOf", (0..count).map(|_| document(chance, below)).collect()),
            15 => ("enum", json!([leaf(chance), "q", 7.0, [1]])),
            16 => ("const", leaf(chance)),
            17 => (
                *chance.one(&[
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "minProperties",
                    "maxProperties",
                ]),
                json!(chance.below(4)),
            ),
            18 => (
                *chance.one(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
                chance
                    .one(&[json!(0), json!(1), json!(0.5), json!(-3), json!(u64::MAX), json!(0.1)])
                    .clone(),
            ),
            19 => ("$ref", json!("#/$defs/d")),
            _ => chance
                .one(&[
                    ("not", json!({"type": "null"})),
                    ("uniqueItems", json!(true)),
                    ("multipleOf", json!(2)),
                    ("format", json!("date")),
                    ("propertyNames", json!({"type": "string"})),
                ])
                .clone(),
        };
        made.insert(keyword.to_owned(), value);
    }
    Value::Object(made)
}

/// A value that the schema may well take.
pub(super) fn guided(chance: &mut Chance, root: &Value, schema: &Value, levels: usize) -> Value {
    let Some(keywords) = schema.as_object().filter(|_| levels > 0) else { return leaf(chance) };
    if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(target.trim_start_matches('#')).unwrap_or(&Value::Null);
        return guided(chance, root, target, levels - 1);
    }
    if let Some(value) = keywords.get("const") {
        return value.clone();
    }
    for listed in ["enum", "anyOf", "oneOf", "allOf"] {
        if let Some(all) =
            keywords.get(listed).and_then(Value::as_array).filter(|_| chance.below(4) > 0)
        {
            let one = chance.one(all);
            return if listed == "enum" {
                one.clone()
            } else {
                guided(chance, root, one, levels - 1)
            };
        }
    }
    let kind = match keywords.get("type") {
        Some(Value::Array(all)) => chance.one(all).clone(),
        Some(one) => one.clone(),
        None if keywords.contains_key("properties") => json!("object"),
        None if keywords.contains_key("items") => json!("array"),
        None => return leaf(chance),
    };
    match kind.as_str().unwrap_or_default() {
        "object" => {
            let mut made = Map::new();
            let required = keywords.get("required").and_then(Value::as_array);
            for name in required.into_iter().flatten().filter_map(Value::as_str) {
                made.insert(name.to_owned(), leaf(chance));
            }
            for (name, held) in
                keywords.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                if made.contains_key(name) || chance.below(3) > 0 {
                    made.insert(name.clone(), guided(chance, root, held, levels - 1));
                }
            }
            if chance.below(4) == 0 {
                made.insert("more".to_owned(), leaf(chance));
            }
            Value::Object(made)
        }
        "array" => {
            let held = keywords.get("items").unwrap_or(&Value::Null);
            (0..chance.below(4)).map(|_| guided(chance, root, held, levels - 1)).collect()
        }
        "string" => json!(chance.one(&STRINGS)),
        "integer" => json!(chance.below(9)),
        "number" => json!(f64::from(u32::try_from(chance.below(9)).unwrap()) / 4.0),
        "boolean" => json!(true),
        _ => json!(null),
    }
}

/// The text with one thing changed, taken out or put in.
pub(super) fn near(chance: &mut Chance, text: &str) -> String {
    let mut all: Vec<char> = text.chars().collect();
    let at = chance.below(all.len());
    match chance.below(4) {
        0 => drop(all.drain(at..at + usize::from(!all.is_empty()))),
        1 => all.insert(
            at,
            *chance.one(&['"', '\\', ',', ':', '0', '1', '.', 'e', '-', '{', ']', ' ', 'é', '\n']),
        ),
        2 => {
            // A member or an item twice.
            let end = (at + 1 + chance.below(12)).min(all.len());
            let part: Vec<char> = all.get(at..end).unwrap_or_default().to_vec();
            all.splice(at..at, part);
        }
        _ => {
            if let Some(held) = all.get_mut(at) {
                *held = *chance.one(&['"', 'u', '}', '5', ' ', 'a', 'b']);
            }
        }
    }
    all.into_iter().collect()
}
