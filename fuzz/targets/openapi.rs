//! An OpenAPI document, JSON or YAML: taken in, selected from, stored and read again.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mycelium::forage::openapi::{Formats, Options, Serialization, Table, normalize_open_api};
use mycelium_fuzz::{Dice, spoil_bytes, spoil_tree};
use serde_json::Value;

fuzz_mutator!(|data: &mut [u8], size: usize, room: usize, seed: u32| {
    let mut dice = Dice(u64::from(seed) | 1 << 32);
    let text = String::from_utf8_lossy(&data[..size]).into_owned();
    let tree = serde_json::from_str::<Value>(&text).ok().filter(|_| dice.below(3) != 0);
    let spoiled = match tree {
        Some(mut tree) => {
            (0..=dice.below(4)).for_each(|_| spoil_tree(&mut tree, &mut dice));
            tree.to_string().into_bytes()
        }
        None => {
            let mut bytes = text.into_bytes();
            (0..=dice.below(6)).for_each(|_| spoil_bytes(&mut bytes, &mut dice));
            bytes
        }
    };
    let size = spoiled.len().min(room);
    data[..size].copy_from_slice(&spoiled[..size]);
    size
});

fuzz_target!(|text: &str| {
    let ways = [
        (Formats::Refuse, Serialization::default(), None),
        (Formats::Annotate, Serialization::Full, Some("q".to_owned())),
    ];
    for (formats, serialization, auth_parameter) in ways {
        let mut options = Options::default();
        options.formats = formats;
        options.serialization = serialization;
        options.auth_parameter = auth_parameter;
        take_in(text, options);
    }
});

fn take_in(text: &str, options: Options) {
    let Ok(preview) = normalize_open_api(text, options) else { return };
    for unsupported in preview.unsupported() {
        assert!(
            !unsupported.reasons.is_empty(),
            "{} is left out without a reason",
            unsupported.selector
        );
    }
    let offered = preview.offered();
    for offered in offered.iter().step_by((offered.len() / 8).max(1)) {
        let table = preview.select(&[&offered.selector]).expect("what is offered can be selected");
        assert_eq!(Table::read(table.to_json()).as_ref(), Ok(&table), "{}", offered.selector);
    }
}
