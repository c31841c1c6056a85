//! Takes in documents that were spoiled at random, for as long as it is told.
//!
//! ```text
//! make fuzz SECONDS=600
//! ```
//!
//! Every document of a folder is a seed. Each is changed a few times, as text or as a
//! tree, then taken in; what is offered is selected, stored and read again. A panic, a
//! table that isn't read back as it was, an operation that is offered and can't be
//! stored, or a document that takes longer than a second is a fault: the document is
//! written to `target/fuzz` and the run fails. The dice's seed is printed.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool that runs natively, talks, and may fail"
)]

use std::{
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use mycelium::forage::openapi::{Formats, Options, Serialization, Table, normalize_open_api};
use serde_json::{Value, json};

/// The most time that one document may take.
const SLOW: Duration = Duration::from_secs(1);

/// The most bytes of a seed: small ones are tried more often.
const SEED_BYTES: usize = 400_000;

/// Small documents with a bit of everything.
const OWN: &[&str] = &[
    r##"{"openapi":"3.1.0","paths":{"/a/{b}":{"parameters":[{"$ref":"#/components/parameters/P"}],"post":{"operationId":"x","parameters":[{"name":"q","in":"query","style":"deepObject","schema":{"type":"object","properties":{"k":{"type":["string","null"]}}}}],"requestBody":{"content":{"multipart/form-data":{"schema":{"$ref":"#/components/schemas/S"},"encoding":{"f":{"contentType":"a/b"}}}}},"responses":{"200":{"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/S"},{"description":"d"}]}}}},"204":{}}}}},"components":{"parameters":{"P":{"name":"b","in":"path","required":true,"schema":{"enum":["x"]}}},"schemas":{"S":{"type":"object","properties":{"f":{"type":"string","format":"binary"},"s":{"$ref":"#/components/schemas/T"}},"required":["f"]},"T":{"oneOf":[{"const":1},{"type":"array","items":{"type":"integer"}}]}}}}"##,
    "openapi: 3.0.3\nservers: [{url: 'https://a.example/{v}', variables: {v: {default: x}}}]\npaths:\n  /p:\n    get:\n      tags: [a]\n      summary: >-\n        folded\n        text\n      responses:\n        '200': &r\n          description: |\n            block\n          content:\n            '*/*': {schema: {type: string, nullable: true, minimum: 1, exclusiveMinimum: true}}\n",
];

/// xorshift64*
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 16).unwrap_or(0) % bound.max(1)
    }

    fn of<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(60);
    let folder = arguments.next().unwrap_or_default();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = arguments.next().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| now.map_or(1, |since| since.as_secs())).max(1);
    let mut seeds: Vec<String> = OWN.iter().map(|text| (*text).to_owned()).collect();
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        seeds.extend(fs::read_to_string(entry.path()).ok().filter(|text| text.len() < SEED_BYTES));
    }
    println!("fuzz: {} documents, {seconds} s, seed {seed}", seeds.len());
    run(&seeds, Duration::from_secs(seconds), &mut Dice(seed))
}

fn run(seeds: &[String], time: Duration, dice: &mut Dice) -> ExitCode {
    let (start, mut told) = (Instant::now(), 0);
    let (mut documents, mut offered, mut slowest, mut faults) = (0_u64, 0_u64, Duration::ZERO, 0);
    while start.elapsed() < time {
        let text = spoiled(seeds, dice);
        let options = options(dice);
        let began = spent(start);
        let taken = catch_unwind(AssertUnwindSafe(|| take_in(&text, options)));
        let took = spent(start).saturating_sub(began);
        documents += 1;
        slowest = slowest.max(took);
        let fault = match taken {
            Err(_) => Some("it panics".to_owned()),
            Ok(Err(fault)) => Some(fault),
            Ok(Ok(_)) if took > SLOW => Some(format!("it takes {took:?}")),
            Ok(Ok(count)) => {
                offered += count;
                None
            }
        };
        if let Some(fault) = fault {
            faults += 1;
            let path = format!("target/fuzz/openapi-{documents}.txt");
            let _ = fs::create_dir_all(Path::new("target/fuzz"));
            let _ = fs::write(&path, &text);
            eprintln!("fuzz: {path}: {fault}");
        }
        if start.elapsed().as_secs() / 60 > told {
            told = start.elapsed().as_secs() / 60;
            println!("fuzz: {told} min, {documents} documents");
        }
    }
    println!(
        "fuzz: {documents} documents, {offered} operations offered and stored, slowest {slowest:?}, {faults} faults"
    );
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The time that this thread had a processor for, where the system tells it; elsewhere
/// the time since `start`.
fn spent(start: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn options(dice: &mut Dice) -> Options {
    let mut options = Options::default();
    if dice.below(2) == 0 {
        options.formats = Formats::Annotate;
    }
    if dice.below(2) == 0 {
        options.serialization = Serialization::Full;
    }
    if dice.below(4) == 0 {
        options.auth_parameter = Some((*dice.of(&["q", "b", "f"])).to_owned());
    }
    options
}

/// Takes in a document, stores a few operations of it and reads them again.
fn take_in(text: &str, options: Options) -> Result<u64, String> {
    let Ok(preview) = normalize_open_api(text, options) else { return Ok(0) };
    for unsupported in preview.unsupported() {
        if unsupported.reasons.is_empty() {
            return Err(format!("{} is left out without a reason", unsupported.selector));
        }
    }
    let offered = preview.offered();
    let step = (offered.len() / 8).max(1);
    for offered in offered.iter().step_by(step) {
        let table = preview
            .select(&[&offered.selector])
            .map_err(|error| format!("{} is offered: {error}", offered.selector))?;
        if Table::read(table.to_json()).as_ref() != Ok(&table) {
            return Err(format!("{} isn't read back", offered.selector));
        }
    }
    Ok(u64::try_from(offered.len()).unwrap_or(0))
}

fn spoiled(seeds: &[String], dice: &mut Dice) -> String {
    let seed = if dice.below(3) == 0 { &seeds[dice.below(OWN.len())] } else { dice.of(seeds) };
    let tree = serde_json::from_str::<Value>(seed).ok().filter(|_| dice.below(3) != 0);
    match tree {
        Some(mut tree) => {
            for _ in 0..=dice.below(4) {
                spoil_tree(&mut tree, dice);
            }
            tree.to_string()
        }
        None => {
            let mut bytes = seed.clone().into_bytes();
            for _ in 0..=dice.below(6) {
                spoil_bytes(&mut bytes, dice);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
    }
}

/// Walks down at random and changes what it comes to.
fn spoil_tree(value: &mut Value, dice: &mut Dice) {
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

fn spoil_bytes(bytes: &mut Vec<u8>, dice: &mut Dice) {
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
