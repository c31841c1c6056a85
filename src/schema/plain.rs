//! Schemas that are plainly schemas, told by reading their text once.
//!
//! Most are made of a few keywords and refer to nothing. Their bounds, their shape and their
//! canonical text are told together, without a value and without the meta-schema, which takes
//! longer than everything else that is done when a schema is defined. What isn't plain here
//! isn't wrong: the [meta-schema](super::meta) says, and [`extent`](super::extent) measures it.

use referencing::Draft;

use super::{DEPTH, NESTED, NODES, extent::Extent, meta, rewrite::Rewriter};

/// What is told of a plain schema: its draft, how far it reaches, its canonical text.
pub(super) type Plain = (Draft, Extent, String);

/// Reads the text of a schema that has only keywords that are the same in every draft of
/// ours, each with a value that each draft takes.
pub(super) fn read(text: &str) -> Option<Plain> {
    Reader::new(text, false).whole()
}

/// The same of a text that is canonical already.
pub(super) fn read_canonical(text: &str) -> Option<(Draft, Extent)> {
    Reader::new(text, true).whole().map(|(draft, extent, _)| (draft, extent))
}

/// Counts as [`Extent`] does.
struct Reader<'t> {
    text: Rewriter<'t>,
    draft: Draft,
    /// Lists and maps around.
    depth: usize,
    written: usize,
    expanded: usize,
    nested: usize,
    /// The names of the list that is being read.
    names: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, is_canonical: bool) -> Self {
        Self {
            text: Rewriter::new(text, is_canonical),
            draft: Draft::Draft202012,
            depth: 0,
            written: 0,
            expanded: 0,
            nested: 0,
            names: Vec::new(),
        }
    }

    fn whole(mut self) -> Option<Plain> {
        self.schema(0)?;
        let Self { written, expanded, .. } = self;
        let is_within = written <= NODES && expanded <= NODES && self.nested <= NESTED;
        let extent = Extent { written, expanded, plain: true, cyclic: false };
        let text = self.text.end()?;
        is_within.then_some((self.draft, extent, text))
    }

    /// `run` is how many schemas around it apply to the same value.
    fn schema(&mut self, run: usize) -> Option<()> {
        self.nested = self.nested.max(run);
        self.count();
        if self.text.peek()? != b'{' {
            return self.boolean();
        }
        self.enter()?;
        let mut map = self.text.map()?;
        while let Some(keyword) = self.text.key(&mut map)? {
            self.keyword(keyword, run)?;
        }
        self.leave()
    }

    fn keyword(&mut self, keyword: &str, run: usize) -> Option<()> {
        match keyword {
            "title" | "description" | "format" | "$comment" => self.string().map(drop),
            "default" | "const" => self.data(),
            "examples" if self.text.peek()? == b'[' => self.data(),
            "readOnly" | "writeOnly" | "uniqueItems" => {
                self.count();
                self.boolean()
            }
            "type" if self.text.peek()? == b'[' => {
                self.names(1)?;
                self.names.iter().all(|name| is_type(name)).then_some(())
            }
            "type" => is_type(self.string()?).then_some(()),
            "enum" => self.names(1),
            "required" => self.names(0),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                self.number().map(drop)
            }
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" => self.number()?.parse::<u64>().ok().map(drop),
            // A list of schemas means another thing in each draft.
            "items" | "additionalProperties" | "contains" | "propertyNames" => {
                self.expanded = self.expanded.saturating_add(1);
                self.schema(0)
            }
            "not" | "if" | "then" | "else" => {
                self.expanded = self.expanded.saturating_add(1);
                self.schema(run.saturating_add(1))
            }
            "anyOf" | "allOf" | "oneOf" => self.schemas(run.saturating_add(1)),
            "properties" => self.named(),
            "$defs" | "definitions" => {
                // Nothing refers to them.
                let (expanded, nested) = (self.expanded, self.nested);
                self.named()?;
                (self.expanded, self.nested) = (expanded, nested);
                Some(())
            }
            "$schema" if self.depth == 1 => {
                self.draft = meta::draft(self.string()?)?;
                Some(())
            }
            _ => None,
        }
    }

    /// A list of schemas, at least one.
    fn schemas(&mut self, run: usize) -> Option<()> {
        self.count();
        let before = self.written;
        self.enter()?;
        let mut list = self.text.list()?;
        while self.text.item(&mut list)? {
            self.schema(run)?;
        }
        self.leave()?;
        (self.written > before).then_some(())
    }

    /// A map of schemas.
    fn named(&mut self) -> Option<()> {
        self.count();
        self.enter()?;
        let mut map = self.text.map()?;
        while self.text.key(&mut map)?.is_some() {
            self.schema(0)?;
        }
        self.leave()
    }

    /// A list of at least so many strings, few enough to compare each with each, of which no
    /// two are the same.
    fn names(&mut self, least: usize) -> Option<()> {
        self.names.clear();
        self.count();
        self.enter()?;
        let mut list = self.text.list()?;
        while self.text.item(&mut list)? {
            let name = self.string()?;
            if self.names.len() >= COMPARED || self.names.contains(&name) {
                return None;
            }
            self.names.push(name);
        }
        self.leave()?;
        (self.names.len() >= least).then_some(())
    }

    /// What is no schema.
    fn data(&mut self) -> Option<()> {
        match self.text.peek()? {
            b'{' => {
                self.count();
                self.enter()?;
                let mut map = self.text.map()?;
                while let Some(key) = self.text.key(&mut map)? {
                    // It may be a reference for all that is known here.
                    if key.starts_with('$') {
                        return None;
                    }
                    self.data()?;
                }
                self.leave()
            }
            b'[' => {
                self.count();
                self.enter()?;
                let mut list = self.text.list()?;
                while self.text.item(&mut list)? {
                    self.data()?;
                }
                self.leave()
            }
            b'"' => self.string().map(drop),
            b'n' => {
                self.count();
                self.text.take("null")
            }
            b't' | b'f' => {
                self.count();
                self.boolean()
            }
            _ => self.number().map(drop),
        }
    }

    fn string(&mut self) -> Option<&'t str> {
        self.count();
        self.text.string()
    }

    fn number(&mut self) -> Option<&'t str> {
        self.count();
        self.text.number().filter(|number| !number.is_empty())
    }

    fn boolean(&mut self) -> Option<()> {
        let word = if self.text.peek()? == b't' { "true" } else { "false" };
        self.text.take(word)
    }

    /// One node more, which is written and expanded.
    fn count(&mut self) {
        self.written = self.written.saturating_add(1);
        self.expanded = self.expanded.saturating_add(1);
    }

    /// Goes into a list or a map.
    fn enter(&mut self) -> Option<()> {
        self.depth = self.depth.saturating_add(1);
        (self.depth <= DEPTH).then_some(())
    }

    fn leave(&mut self) -> Option<()> {
        self.depth = self.depth.saturating_sub(1);
        Some(())
    }
}

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

fn is_type(name: &str) -> bool {
    TYPES.contains(&name)
}

/// How many names are compared each with each.
const COMPARED: usize = 32;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::{Extent, read, read_canonical};
    use crate::{
        json::canonical,
        schema::{DEPTH, NESTED, Schema, meta},
    };

    fn is_plain(schema: &Value) -> bool {
        read_canonical(&canonical(schema)).is_some()
    }

    #[test]
    fn ordinary_schemas_are_plain() {
        for schema in [
            json!(true),
            json!({}),
            json!({
                "type": "object",
                "title": "T",
                "properties": {
                    "id": {"type": ["integer", "null"], "minimum": 0, "description": "d"},
                    "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 3},
                    "any": {"anyOf": [{"type": "string", "maxLength": 9}, {"const": 1}]},
                },
                "required": ["id"],
                "additionalProperties": false,
                "$defs": {"x": {"not": {"default": null}}},
            }),
        ] {
            assert!(is_plain(&schema), "{schema}");
        }
    }

    #[test]
    fn what_is_no_schema_is_not_plain() {
        for wrong in [
            json!(null),
            json!([]),
            json!({"type": "objekt"}),
            json!({"type": []}),
            json!({"type": ["string", "string"]}),
            json!({"required": ["a", "a"]}),
            json!({"required": [1]}),
            json!({"minLength": -1}),
            json!({"minLength": 1.5}),
            json!({"minimum": "1"}),
            json!({"anyOf": []}),
            json!({"properties": []}),
            json!({"properties": {"a": 1}}),
            json!({"items": {"uniqueItems": 1}}),
            json!({"description": 1}),
            json!({"examples": 1}),
        ] {
            assert!(!is_plain(&wrong), "{wrong}");
            assert!(Schema::new(wrong.clone()).is_err(), "{wrong}");
        }
    }

    /// A value that may or may not do for a keyword.
    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            (-2_i64..3).prop_map(Value::from),
            (0_u8..8).prop_map(|number| json!(f64::from(number) / 2.0)),
            prop::sample::select(super::TYPES.to_vec()).prop_map(Value::from),
            Just(json!("x")),
            Just(json!({})),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((keyword(), inner), 0..4)
                    .prop_map(|all| Value::Object(all.into_iter().collect::<Map<_, _>>())),
            ]
        })
    }

    fn keyword() -> impl Strategy<Value = String> {
        let keywords = [
            "title",
            "description",
            "format",
            "$comment",
            "default",
            "const",
            "examples",
            "readOnly",
            "writeOnly",
            "uniqueItems",
            "type",
            "enum",
            "required",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "items",
            "additionalProperties",
            "not",
            "contains",
            "propertyNames",
            "if",
            "then",
            "else",
            "anyOf",
            "allOf",
            "oneOf",
            "properties",
            "$defs",
            "definitions",
            "deprecated",
            "x-own",
        ];
        prop::sample::select(keywords.to_vec()).prop_map(str::to_owned)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn what_is_plain_is_told_as_by_the_meta_schema_and_by_measuring(schema in value()) {
            if let Some((draft, extent)) = read_canonical(&canonical(&schema)) {
                prop_assert_eq!(Extent::of(draft, &schema), Ok(extent), "{}", schema);
                for draft in [referencing::Draft::Draft202012, referencing::Draft::Draft7] {
                    prop_assert!(meta::check(draft, &schema).is_ok(), "{schema}");
                }
                let spread = serde_json::to_string_pretty(&schema).unwrap();
                if let Some(plain) = read(&spread) {
                    prop_assert_eq!(plain, (draft, extent, canonical(&schema)));
                }
            }
        }
    }

    #[test]
    fn the_bounds_of_a_plain_schema_are_those_of_any() {
        let nested = |depth| (0..depth).fold(json!(true), |inner, _| json!({ "not": inner }));
        assert!(is_plain(&nested(DEPTH)) && !is_plain(&nested(DEPTH + 1)));
        let listed = |depth| (0..depth).fold(json!(true), |inner, _| json!({ "anyOf": [inner] }));
        assert!(is_plain(&listed(DEPTH / 2)) && DEPTH < NESTED);
        let data = |depth| (0..depth).fold(json!(1), |inner, _| json!([inner]));
        assert!(is_plain(&json!({"const": data(DEPTH - 1)})));
        assert!(!is_plain(&json!({"const": data(DEPTH)})));
        let wide = |count: usize| json!({"default": vec![json!(null); count]});
        assert!(is_plain(&wide(super::NODES - 2)) && !is_plain(&wide(super::NODES - 1)));
        let items = json!({"items": {"properties": {}}});
        let wide = |count: usize| json!({"allOf": vec![items.clone(); count]});
        let (_, extent) = read_canonical(&wide(8_000).to_string()).unwrap();
        assert_eq!((extent.written, extent.expanded), (24_002, 32_002));
        assert!(!is_plain(&wide(13_000)), "written it has fewer");
    }

    #[test]
    fn a_draft_is_said_at_the_root_alone() {
        for (draft, is_ours) in [
            ("https://json-schema.org/draft/2020-12/schema", true),
            ("http://json-schema.org/draft-07/schema#", true),
            ("http://json-schema.org/draft-04/schema#", false),
        ] {
            let schema = json!({"$schema": draft, "type": "string"});
            assert_eq!(is_plain(&schema), is_ours, "{draft}");
            assert_eq!(Schema::new(schema.clone()).is_ok(), is_ours, "{draft}");
            assert!(!is_plain(&json!({ "items": schema })));
        }
    }
}
