//! Changes documents at random: as trees, so that most of them stay documents, and as text.

#![allow(clippy::arithmetic_side_effects, reason = "a tool that runs natively, and may fail")]

use serde_json::{Value, json};

/// xorshift64*
pub struct Dice(pub u64);

impl Dice {
    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 16).unwrap_or(0) % bound.max(1)
    }

    /// One of them.
    pub fn of<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

/// Walks down at random and changes what it comes to.
pub fn spoil_tree(value: &mut Value, dice: &mut Dice) {
    let stop = dice.below(12) == 0;
    match value {
        Value::Object(map) if !stop && !map.is_empty() => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let key = dice.of(&keys).clone();
            match dice.below(40) {
                0 => drop(map.remove(&key)),
                1 => {
                    let moved = map.remove(&key).unwrap_or_default();
                    map.insert(odd_key(dice), moved);
                }
                2 => drop(map.insert(odd_key(dice), odd(dice))),
                _ => {
                    if let Some(inner) = map.get_mut(&key) {
                        spoil_tree(inner, dice);
                    }
                }
            }
        }
        Value::Array(items) if !stop && !items.is_empty() => {
            let at = dice.below(items.len());
            match dice.below(20) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => spoil_tree(&mut items[at], dice),
            }
        }
        other => *other = odd(dice),
    }
}

fn odd_key(dice: &mut Dice) -> String {
    let keys = [
        "$ref",
        "__proto__",
        "type",
        "allOf",
        "properties",
        "items",
        "",
        "/",
        "~",
        "//x",
        "/a/{b}",
        "get",
        "trace",
        "format",
        "x-a",
        "nullable",
        "required",
        "content",
        "application/json",
        "200",
        "default",
        "in",
        "name",
        "enum",
        "$defs",
        "additionalProperties",
        "é😀",
        "parameters",
        "requestBody",
        "schema",
        "style",
    ];
    (*dice.of(&keys)).to_owned()
}

fn odd(dice: &mut Dice) -> Value {
    let values = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(-1),
        json!(1e308),
        json!(""),
        json!("string"),
        json!("object"),
        json!("array"),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"type": "object"}),
        json!({"$ref": "#"}),
        json!({"$ref": "#/paths"}),
        json!({"$ref": "#/components/schemas/S"}),
        json!({"$ref": "#/components/schemas/S/properties/s"}),
        json!({"$ref": "#/%"}),
        json!({"$ref": "other"}),
        json!({"allOf": [{"$ref": "#/components/schemas/S"}, {}]}),
        json!({"not": {}}),
        json!("path"),
        json!({"type": "array", "items": {"type": "array", "items": {}}}),
        json!("deepObject"),
        json!("matrix"),
        json!({"properties": {"a": {"enum": ["x"]}}, "required": ["a"]}),
        json!("a".repeat(3000)),
        json!({"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/T"}]}),
        json!(u64::MAX),
    ];
    dice.of(&values).clone()
}

/// Changes a few bytes.
pub fn spoil_bytes(bytes: &mut Vec<u8>, dice: &mut Dice) {
    if bytes.is_empty() {
        return;
    }
    let at = dice.below(bytes.len());
    let length = dice.below(64).min(bytes.len() - at);
    match dice.below(8) {
        0 => bytes[at] = u8::try_from(dice.below(256)).unwrap_or(0),
        1 => drop(bytes.drain(at..at + length)),
        2 => {
            let part = bytes[at..at + length].to_vec();
            bytes.splice(at..at, part);
        }
        3 => {
            let tokens: [&[u8]; 16] = [
                b"{", b"}", b"[", b"]", b": ", b"- ", b"\n", b"\"", b"&a ", b"*a", b"!!str ",
                b"? ", b"|", b"\t", b"---\n", b"'",
            ];
            let token = *dice.of(&tokens);
            bytes.splice(at..at, token.iter().copied());
        }
        4 => {
            let opens: [&[u8]; 4] = [b"[", b"{\"a\":", b"- ", b"? "];
            let open = *dice.of(&opens);
            let many = open.repeat(dice.below(5_000));
            bytes.splice(at..at, many);
        }
        5 => bytes.truncate(at),
        6 => {
            let from = dice.below(bytes.len());
            let until = (from + dice.below(2_000)).min(bytes.len());
            let part = bytes[from..until].to_vec();
            bytes.splice(at..at, part);
        }
        _ => bytes[at] ^= 1 << dice.below(8),
    }
}
