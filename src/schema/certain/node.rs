//! What a pass goes by: one schema's bounds, as far as they are known.

use super::{number::Limits, plan::ANYTHING};

/// The types of JSON, a bit each. A number without a fraction is [`INTEGER`] alone.
pub(super) const NULL: u8 = 1;
pub(super) const BOOLEAN: u8 = 1 << 1;
pub(super) const INTEGER: u8 = 1 << 2;
pub(super) const FRACTION: u8 = 1 << 3;
pub(super) const STRING: u8 = 1 << 4;
pub(super) const ARRAY: u8 = 1 << 5;
pub(super) const OBJECT: u8 = 1 << 6;
/// All of them.
pub(super) const ALL: u8 = 0x7f;

/// A property's name and node.
pub(super) type Property = (Box<[u8]>, usize);

/// What is known of one schema.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The types that are taken.
    pub(super) types: u8,
    /// Every type that a value may have which the schema takes: never too few.
    pub(super) possible: u8,
    pub(super) limits: Limits,
    /// Characters of a string.
    pub(super) length: Option<(usize, usize)>,
    /// Items of a list.
    pub(super) items: (usize, usize),
    /// Members of a map.
    pub(super) members: (usize, usize),
    pub(super) first: Box<[usize]>,
    pub(super) rest: usize,
    /// At most 64, those that are required among them.
    pub(super) properties: Box<[Property]>,
    /// The properties that are required, a bit each.
    pub(super) required: u64,
    pub(super) additional: usize,
    pub(super) listed: Option<Listed>,
    /// Groups of schemas: of each group one has to take the value.
    pub(super) choices: Box<[Box<[usize]>]>,
    /// Whether there is nothing but the choices.
    pub(super) bare: bool,
}

/// The values of an enumeration that are compared here.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    pub(super) strings: Box<[Box<[u8]>]>,
    pub(super) integers: Box<[i64]>,
    pub(super) truths: Box<[bool]>,
    pub(super) null: bool,
}

impl Node {
    pub(super) fn anything() -> Self {
        Self {
            types: ALL,
            possible: ALL,
            limits: Limits::default(),
            length: None,
            items: (0, usize::MAX),
            members: (0, usize::MAX),
            first: Box::default(),
            rest: ANYTHING,
            properties: Box::default(),
            required: 0,
            additional: ANYTHING,
            listed: None,
            choices: Box::default(),
            bare: false,
        }
    }

    pub(super) fn unknown() -> Self {
        Self { types: 0, ..Self::anything() }
    }
}
