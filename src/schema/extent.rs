//! How far a schema reaches: measured, and bounded, before anything is compiled.

use referencing::Draft;
use serde_json::Value;

use super::{
    DEPTH, NESTED, NESTED_IN_CYCLE, NODES, SchemaError,
    keyword::{self, Target},
    reference::{self, Scope, is_plain},
};

/// The most schemas within each other, references followed: the stack's bound while measuring.
const PATH: usize = 256;

/// How far a schema reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// The document's nodes, as written.
    pub(super) written: usize,
    /// Its nodes with every reference expanded.
    pub(super) expanded: usize,
    /// Whether it refers by pointers from the root alone.
    pub(super) plain: bool,
    /// Whether it refers to itself.
    pub(super) cyclic: bool,
}

impl Extent {
    /// Measures `document`, which needn't be a schema at all.
    ///
    /// # Errors
    ///
    /// It is over a bound of the module, refers to nothing, or out of itself.
    pub(super) fn of(draft: Draft, document: &Value) -> Result<Self, SchemaError> {
        let mut written = Written { nodes: 0, plain: true };
        written.count(document, 0)?;
        if written.plain {
            return measure(written, draft, document, Scope::Root(document));
        }
        let registry = reference::registry(draft, document)?;
        let scope = Scope::named(draft, &registry)?;
        measure(written, draft, document, scope)
    }
}

fn measure<'a>(
    written: Written,
    draft: Draft,
    document: &'a Value,
    scope: Scope<'a>,
) -> Result<Extent, SchemaError> {
    let mut expansion = Expansion { draft, nodes: 0, open: Vec::new(), nested: 0, cyclic: false };
    expansion.enter(document, &scope.within(document)?, 0)?;
    let nested = if expansion.cyclic { NESTED_IN_CYCLE } else { NESTED };
    if expansion.nested > nested {
        return Err(too_nested(nested));
    }
    Ok(Extent {
        written: written.nodes,
        expanded: expansion.nodes,
        plain: written.plain,
        cyclic: expansion.cyclic,
    })
}

/// The document as written.
struct Written {
    nodes: usize,
    plain: bool,
}

impl Written {
    fn count(&mut self, value: &Value, depth: usize) -> Result<(), SchemaError> {
        self.nodes = self.nodes.saturating_add(1);
        if self.nodes > NODES {
            return Err(too_large());
        }
        let inner = depth.saturating_add(1);
        if inner > DEPTH && (value.is_array() || value.is_object()) {
            let problem = format!(
                "its lists and maps are nested more than {DEPTH} levels: move parts under $defs"
            );
            return Err(SchemaError::schema("", &problem));
        }
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.count(item, inner)),
            Value::Object(map) => {
                self.plain &= is_plain(map, depth == 0);
                map.values().try_for_each(|item| self.count(item, inner))
            }
            _ => Ok(()),
        }
    }
}

/// A walk into every schema that can apply, along every reference.
struct Expansion {
    draft: Draft,
    nodes: usize,
    /// The schemas being walked, by their address; one that is met again closes a cycle.
    open: Vec<usize>,
    /// The longest run of schemas that apply to one value.
    nested: usize,
    cyclic: bool,
}

impl Expansion {
    /// `scope` is that within `schema`; `run` is how many schemas around it apply to the same
    /// value.
    fn enter<'a>(
        &mut self,
        schema: &'a Value,
        scope: &Scope<'a>,
        run: usize,
    ) -> Result<(), SchemaError> {
        self.nested = self.nested.max(run);
        let address = std::ptr::from_ref(schema).addr();
        if let Some(distance) = self.open.iter().rev().position(|open| *open == address) {
            if run > distance {
                return Err(endless());
            }
            self.cyclic = true;
            return self.spend(1);
        }
        if self.open.len() >= PATH {
            return Err(too_nested(PATH));
        }
        self.open.push(address);
        let walked = match schema {
            Value::Object(keywords) => {
                self.spend(1)?;
                keywords.iter().try_for_each(|(name, value)| self.keyword(name, value, scope, run))
            }
            other => self.data(other),
        };
        self.open.pop();
        walked
    }

    fn keyword<'a>(
        &mut self,
        name: &str,
        value: &'a Value,
        scope: &Scope<'a>,
        run: usize,
    ) -> Result<(), SchemaError> {
        let inner = run.saturating_add(1);
        match (keyword::target(name, value), value) {
            (Some(Target::Nothing), _) => Ok(()),
            (Some(target), _) => {
                self.spend(1)?;
                let run = if target == Target::Itself { inner } else { 0 };
                let mut schemas = keyword::schemas(name, value);
                schemas.try_for_each(|schema| self.enter(schema, &scope.within(schema)?, run))
            }
            (None, Value::String(reference)) if keyword::is_reference(name) => {
                let (target, scope) = scope.follow(reference)?;
                self.enter(target, &scope, inner)
            }
            (None, Value::String(draft)) if name == "$schema" => self.same_draft(draft),
            (None, data) => self.data(data),
        }
    }

    fn same_draft(&mut self, uri: &str) -> Result<(), SchemaError> {
        if super::meta::draft(uri) == Some(self.draft) {
            return self.spend(1);
        }
        Err(SchemaError::schema("", &format!("a part of it has the other draft {uri}")))
    }

    /// Counts what is no schema.
    fn data(&mut self, value: &Value) -> Result<(), SchemaError> {
        self.spend(1)?;
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.data(item)),
            Value::Object(map) => map.values().try_for_each(|item| self.data(item)),
            _ => Ok(()),
        }
    }

    fn spend(&mut self, nodes: usize) -> Result<(), SchemaError> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > NODES { Err(too_large()) } else { Ok(()) }
    }
}

fn too_large() -> SchemaError {
    let problem = format!(
        "it has more than {NODES} nodes with its references expanded: refer to a part once, \
         or describe it less exactly"
    );
    SchemaError::schema("", &problem)
}

fn endless() -> SchemaError {
    let problem = "it refers to itself for the same value, so that validating would never end: \
                   refer from a part of the value (properties, items), or leave the reference out";
    SchemaError::schema("", problem)
}

fn too_nested(bound: usize) -> SchemaError {
    let problem = format!(
        "more than {bound} schemas apply to one value within each other \
         (allOf, anyOf, oneOf, not, if, $ref): put them side by side"
    );
    SchemaError::schema("", &problem)
}

#[cfg(test)]
mod tests {
    use referencing::Draft;
    use serde_json::{Map, Value, json};

    use super::{Extent, PATH};
    use crate::schema::{DEPTH, NESTED, NESTED_IN_CYCLE, NODES};

    fn extent(document: &Value) -> Result<Extent, String> {
        Extent::of(Draft::Draft202012, document).map_err(|error| error.to_string())
    }

    /// `count` definitions, each of which `refer`s to the one before it.
    fn definitions(count: usize, refer: impl Fn(Value) -> Value) -> Value {
        let mut defs = Map::new();
        defs.insert("d0".to_owned(), json!({"type": "string"}));
        for (before, number) in (0..count).zip(1..) {
            let before = json!({"$ref": format!("#/$defs/d{before}")});
            defs.insert(format!("d{number}"), refer(before));
        }
        json!({"$ref": format!("#/$defs/d{count}"), "$defs": defs})
    }

    #[test]
    fn doubling_references_are_refused() {
        let document = definitions(25, |before| json!({"allOf": [before, before]}));
        assert!(document.to_string().len() < 2_300);
        let error = extent(&document).unwrap_err();
        assert!(error.contains("more than 50000 nodes"), "{error}");
        let doubled = |count| definitions(count, |before| json!({"allOf": [before, before]}));
        assert!((NODES / 2..NODES).contains(&extent(&doubled(13)).unwrap().expanded));
        assert!(extent(&doubled(14)).is_err());
    }

    #[test]
    fn doubling_references_by_anchors_are_refused() {
        let mut defs = Map::new();
        defs.insert("d0".to_owned(), json!({"$anchor": "a0"}));
        for (before, number) in (0..25).zip(1..) {
            let before = json!({"$ref": format!("#a{before}")});
            let body = json!({"$anchor": format!("a{number}"), "allOf": [before, before]});
            defs.insert(format!("d{number}"), body);
        }
        let error = extent(&json!({"$ref": "#a25", "$defs": defs})).unwrap_err();
        assert!(error.contains("more than 50000 nodes"), "{error}");
    }

    #[test]
    fn each_reference_counts_and_a_cycle_counts_once() {
        let leaf = extent(&json!({"$ref": "#/$defs/a", "$defs": {"a": {"const": [1, 2]}}}));
        let twice = json!({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}],
                           "$defs": {"a": {"const": [1, 2]}}});
        assert_eq!(leaf.unwrap().expanded, 5);
        assert_eq!(extent(&twice).unwrap().expanded, 12);
        let cycle = extent(&json!({"properties": {"next": {"$ref": "#"}}})).unwrap();
        assert_eq!((cycle.expanded, cycle.cyclic), (4, true));
    }

    #[test]
    fn a_document_has_at_most_32_levels_and_50_000_nodes() {
        let nested = |depth| (0..depth).fold(json!(true), |inner, _| json!({ "not": inner }));
        assert!(extent(&nested(DEPTH)).is_ok());
        assert!(extent(&nested(DEPTH + 1)).unwrap_err().contains("more than 32 levels"));
        let deep = (0..500).fold(json!(1), |inner, _| json!([inner]));
        assert!(extent(&json!({ "const": deep })).unwrap_err().contains("more than 32 levels"));
        let wide = json!({"$defs": {"unused": {"enum": vec![json!(1); NODES]}}});
        assert!(extent(&wide).unwrap_err().contains("nodes"));
    }

    #[test]
    fn schemas_for_one_value_are_nested_within_bounds() {
        let chain = |count| definitions(count, |before| before);
        assert!(extent(&chain(NESTED - 1)).is_ok());
        assert!(extent(&chain(NESTED)).unwrap_err().contains("more than 64 schemas"));
        assert!(extent(&chain(10_000)).unwrap_err().contains("schemas apply"));
        let descending = |count| definitions(count, |before| json!({ "items": before }));
        assert!(extent(&descending(PATH / 2 - 1)).is_ok());
        assert!(extent(&descending(PATH)).is_err());
    }

    #[test]
    fn in_a_cycle_fewer_are_nested() {
        let cycle = |count| {
            let end = json!({"$ref": "#"});
            let inner = (1..count).fold(end, |inner, _| json!({"allOf": [inner]}));
            json!({"items": inner})
        };
        assert!(extent(&cycle(NESTED_IN_CYCLE)).is_ok());
        assert!(extent(&cycle(NESTED_IN_CYCLE + 1)).unwrap_err().contains("schemas apply"));
    }

    #[test]
    fn a_schema_that_applies_to_one_value_for_ever_is_refused() {
        for document in [
            json!({"$ref": "#"}),
            json!({"not": {"$ref": "#"}}),
            json!({"anyOf": [{"type": "string"}, {"$ref": "#"}]}),
            json!({"properties": {"a": {"$ref": "#/properties/a"}}}),
            json!({"items": {"allOf": [{"$ref": "#/items"}]}}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]},
                   "b": {"if": {"$ref": "#/$defs/a"}}}}),
        ] {
            let error = extent(&document).unwrap_err();
            assert!(error.contains("would never end"), "{document}: {error}");
        }
        for document in [
            json!({"items": {"$ref": "#"}}),
            json!({"allOf": [{"properties": {"a": {"allOf": [{"$ref": "#"}]}}}]}),
            json!({"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {}}}),
        ] {
            assert!(extent(&document).is_ok(), "{document}");
        }
    }

    #[test]
    fn a_reference_leads_somewhere_within_the_document() {
        for (reference, expected) in [
            ("#/$defs/none", "refers to nothing"),
            ("#none", "none"),
            ("#/%24defs/none", "none"),
            ("https://schemas.example/a.json", "outside the document"),
            ("other.json#/a", "outside the document"),
        ] {
            let document = json!({"$ref": reference, "$defs": {}});
            let error = extent(&document).unwrap_err();
            assert!(error.contains(expected), "{reference}: {error}");
        }
        for document in [
            json!({"const": {"$ref": "https://schemas.example/a.json"}}),
            json!({"properties": {"$ref": {"type": "string"}}}),
            json!({"$id": "https://a.example/b", "$ref": "b#/$defs/c", "$defs": {"c": true}}),
            json!({"$id": "b.json", "$ref": "#/$defs/c", "$defs": {"c": true}}),
        ] {
            assert!(extent(&document).is_ok(), "{document}");
        }
    }

    #[test]
    fn what_is_no_schema_is_measured_without_harm() {
        for document in [
            json!(1),
            json!(["$ref"]),
            json!({"$ref": 1, "properties": [1], "allOf": {"a": 1}, "$id": 3, "$anchor": []}),
            json!({"$id": "a b", "$anchor": "x"}),
            json!({"$id": "#frag", "properties": {"a": {"$id": "::"}}}),
        ] {
            let _ = extent(&document);
        }
    }
}
