//! Schemas of every keyword in every company, thrown by dice that always fall the same way.

use mycelium::schema::Schema;
use serde_json::{Map, Value, json};

use super::values::{changes, split};

/// A linear congruential generator.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.throw(of.len())].clone()
    }

    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = 1 + self.throw(most);
        (0..count).map(|_| make(self)).collect()
    }
}

const NAMES: [&str; 5] = ["a", "b", "c-d", "toString", "x-1"];
/// The names in values: without `toString`, which TypeScript judges by what every object
/// inherits wherever it meets it in an intersection of unions.
const HELD: [&str; 4] = ["a", "b", "c-d", "x-1"];
const TYPES: [&str; 7] = ["null", "boolean", "number", "integer", "string", "array", "object"];

/// `count` documents that are schemas.
pub(super) fn schemas(count: usize) -> Vec<Value> {
    let mut dice = Dice(1);
    let mut made = Vec::new();
    while made.len() < count {
        let document = document(&mut dice);
        if Schema::new(document.clone()).is_ok() {
            made.push(document);
        }
    }
    made
}

fn document(dice: &mut Dice) -> Value {
    let mut root = schema(dice, 3);
    if let Value::Object(map) = &mut root {
        let seventh = dice.throw(4) == 0;
        if seventh {
            map.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
        }
        map.insert("$defs".to_owned(), json!({"A": schema(dice, 2), "B B": schema(dice, 2)}));
    }
    root
}

fn schema(dice: &mut Dice, depth: usize) -> Value {
    if depth == 0 || dice.throw(6) == 0 {
        return simple(dice);
    }
    let mut map = Map::new();
    for _ in 0..=dice.throw(4) {
        let (name, value) = keyword(dice, depth - 1);
        map.insert(name.to_owned(), value);
    }
    if dice.throw(2) == 0 {
        map.insert("type".to_owned(), json!(dice.one(&["object", "object", "array", "string"])));
    }
    Value::Object(map)
}

fn simple(dice: &mut Dice) -> Value {
    match dice.throw(8) {
        0 => json!(dice.throw(3) != 0),
        1 => json!({"const": value(dice, 2)}),
        2 => json!({"enum": dice.some(3, |dice| value(dice, 1))}),
        3 => json!({"$ref": dice.one(&["#/$defs/A", "#/$defs/B%20B", "#"])}),
        4 => json!({"type": [dice.one(&TYPES[..3]), dice.one(&TYPES[4..])]}),
        _ => json!({"type": dice.one(&TYPES)}),
    }
}

fn keyword(dice: &mut Dice, depth: usize) -> (&'static str, Value) {
    let mut inner = |dice: &mut Dice| schema(dice, depth);
    match dice.throw(24) {
        0..=4 => ("properties", named(dice, inner)),
        5 | 6 => ("required", json!([dice.one(&NAMES)])),
        7 => ("additionalProperties", dice.one(&[json!(false), json!(true)])),
        8 => ("additionalProperties", inner(dice)),
        9 => ("patternProperties", json!({ dice.one(&["^x-", "a"]): inner(dice) })),
        10 => ("unevaluatedProperties", dice.one(&[json!(false), json!({"type": "string"})])),
        11 => ("propertyNames", json!({"enum": [dice.one(&NAMES), dice.one(&NAMES)]})),
        12 => ("dependentRequired", json!({ dice.one(&NAMES): [dice.one(&NAMES)] })),
        13 => ("dependentSchemas", json!({ dice.one(&NAMES): inner(dice) })),
        14 => ("prefixItems", json!(dice.some(2, inner))),
        15 => ("items", inner(dice)),
        16 => ("unevaluatedItems", dice.one(&[json!(false), json!({"type": "number"})])),
        17 => (dice.one(&["minItems", "maxItems"]), json!(dice.throw(3))),
        18 => ("allOf", json!(dice.some(3, inner))),
        19 => ("anyOf", json!(dice.some(3, inner))),
        20 => ("oneOf", json!(dice.some(2, inner))),
        21 => (dice.one(&["if", "then", "else"]), inner(dice)),
        22 => ("not", inner(dice)),
        _ => ("contains", inner(dice)),
    }
}

fn named(dice: &mut Dice, mut inner: impl FnMut(&mut Dice) -> Value) -> Value {
    let entries = dice.some(3, |dice| (dice.one(&NAMES).to_owned(), inner(dice)));
    Value::Object(entries.into_iter().collect())
}

fn value(dice: &mut Dice, depth: usize) -> Value {
    match dice.throw(if depth == 0 { 5 } else { 9 }) {
        0 => json!(null),
        1 => json!(dice.throw(2) == 0),
        2 => json!(dice.throw(2)),
        3 => json!(1.5),
        4 => json!(dice.one(&["", "a", "x"])),
        5 => json!((0..dice.throw(3)).map(|_| value(dice, depth - 1)).collect::<Vec<_>>()),
        _ => Value::Object(
            (0..dice.throw(4))
                .map(|_| (dice.one(&HELD).to_owned(), value(dice, depth - 1)))
                .collect(),
        ),
    }
}

/// Values for the schema of this number.
pub(super) fn values(number: usize, document: &Value) -> (Vec<Value>, Vec<Value>) {
    let schema = Schema::new(document.clone()).unwrap();
    let mut dice = Dice(u64::try_from(number).unwrap());
    let thrown: Vec<_> = (0..40).map(|_| value(&mut dice, 3)).collect();
    let near = thrown.iter().filter(|value| schema.validate(value).is_ok()).take(3);
    let changed: Vec<_> = near.flat_map(changes).take(20).collect();
    let (mut accepts, mut rejects) = split(&schema, thrown.into_iter().chain(changed));
    accepts.truncate(20);
    rejects.truncate(20);
    (accepts, rejects)
}
