//! A JSON Schema from elsewhere, the value it is to judge, and the types a model reads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mycelium::{
    json,
    schema::{
        Schema,
        subset::{self, Formats},
        typescript,
    },
};

fuzz_target!(|text: &str| {
    let (document, value) = text.split_once('\n').unwrap_or((text, "null"));
    let Ok(document) = json::parse(document) else { return };
    let value = json::parse(value).unwrap_or_default();
    for formats in [Formats::Refuse, Formats::Annotate] {
        if let Err(refused) = subset::decode(document.clone(), formats) {
            assert!(!refused.to_string().is_empty());
        }
    }
    let Ok(schema) = Schema::new(document) else { return };
    let _ = schema.validate(&value);
    let types = typescript::inline(&schema, 4_000).unwrap_or_default();
    assert!(!types.contains('\0'));
});
