//! A schema as it was declared.

use std::{cell::OnceCell, fmt, rc::Rc};

use referencing::Draft;
use serde_json::Value;

use super::{
    DEPTH, SchemaError, certain::Plan, compile::compiled, extent::Extent, fault, meta, plain,
};
use crate::json::{self, Digest, JsonError, canonical, canonical_within};

/// A JSON Schema, draft 2020-12 unless its `$schema` says draft-07.
///
/// Checked when it is defined; its validator is made when the first value comes
/// and shared by every schema of the same content.
///
/// ```
/// use mycelium::schema::Schema;
/// use serde_json::json;
///
/// let schema = Schema::new(json!({"type": "object"}))?;
/// assert!(schema.validate(&json!({})).is_ok());
/// assert!(schema.validate(&json!(1)).is_err());
/// assert!(Schema::new(json!({"type": "objekt"})).is_err());
/// # Ok::<(), mycelium::schema::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct Schema {
    shared: Rc<Shared>,
}

/// The document is kept as text, which takes a sixth of the memory, until somebody reads it:
/// of many operations few are called.
struct Shared {
    text: Box<str>,
    document: OnceCell<Value>,
    draft: Draft,
    extent: Extent,
    digest: OnceCell<Digest>,
    /// Made when the first text comes; small, and none for what it can't tell.
    plan: OnceCell<Option<Plan>>,
}

impl Schema {
    /// A schema from its document.
    ///
    /// # Errors
    ///
    /// The document isn't a schema of its draft, is over a bound of the
    /// [module](super), or refers to nothing or out of itself.
    pub fn new(document: Value) -> Result<Self, SchemaError> {
        let text = canonical_within(&document, DEPTH);
        if let Some(text) = text
            && let Some((draft, extent)) = plain::read_canonical(&text)
        {
            return Ok(Self::of(text, draft, extent));
        }
        let draft = meta::draft_of(&document)?;
        let extent = Extent::of(draft, &document)?;
        meta::check(draft, &document)?;
        Ok(Self::of(canonical(&document), draft, extent))
    }

    /// A schema from the text of its document, as strictly read as [`json::parse`] does. It is
    /// the shortest way where a document comes as text: of most nothing else is made.
    ///
    /// ```
    /// use mycelium::schema::Schema;
    ///
    /// let schema = Schema::parse(r#"{ "type": "object", "properties": { "n": {} } }"#)?;
    /// assert_eq!(schema.text(), r#"{"properties":{"n":{}},"type":"object"}"#);
    /// assert!(Schema::parse(r#"{"type": "object", "type": "string"}"#).is_err());
    /// # Ok::<(), mycelium::schema::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is no JSON document, or those of [`new`](Self::new).
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        if let Some((draft, extent, text)) = plain::read(text) {
            return Ok(Self::of(text, draft, extent));
        }
        json::parse(text).map_err(|error| unreadable(&error)).and_then(Self::new)
    }

    fn of(text: String, draft: Draft, extent: Extent) -> Self {
        let (document, digest, plan) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let text = text.into();
        Self { shared: Rc::new(Shared { text, document, draft, extent, digest, plan }) }
    }

    /// The document as it was given. It stays in memory from now on: whoever reads those of
    /// many operations once reads the [text](Self::text).
    #[must_use]
    pub fn document(&self) -> &Value {
        // It was written from a value, so it can be read.
        let read = || serde_json::from_str(&self.shared.text).unwrap_or_default();
        self.shared.document.get_or_init(read)
    }

    /// The document as compact JSON, the keys of each map in the order of their bytes.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.shared.text
    }

    /// The draft that it is read by, and whether it refers by pointers from the root alone.
    pub(super) fn reading(&self) -> (Draft, bool) {
        (self.shared.draft, self.shared.extent.plain)
    }

    /// The digest of the document: equal for equal documents, however their keys are ordered.
    #[must_use]
    pub fn digest(&self) -> Digest {
        *self.shared.digest.get_or_init(|| Digest::of_canonical(&self.shared.text))
    }

    /// Whether `value`, nested no deeper than [`json::DEPTH`], is what the
    /// schema describes.
    ///
    /// # Errors
    ///
    /// The first faults of the value with their paths and without its contents; or, with
    /// [`Subject::Schema`](super::Subject::Schema), a `pattern` that can't be compiled.
    pub fn validate(&self, value: &Value) -> Result<(), SchemaError> {
        let (document, Shared { draft, extent, .. }) = (self.document(), &*self.shared);
        let compiled = compiled(self.digest(), *draft, document, extent.written);
        let validator = compiled.as_ref().as_ref().map_err(Clone::clone)?;
        if validator.is_valid(value) {
            return Ok(());
        }
        Err(fault::faults(validator, *extent, document, value))
    }
}

impl Schema {
    /// Whether `text` certainly is one JSON value, as strict as an input is read, and what the
    /// schema describes. False says nothing: then it has to be read and [validated](Self::validate).
    pub(crate) fn certainly_takes(&self, text: &str) -> bool {
        let plan = self.shared.plan.get_or_init(|| self.plan());
        plan.as_ref().is_some_and(|plan| plan.certainly_takes(text) && self.can_be_compiled())
    }

    fn plan(&self) -> Option<Plan> {
        let Shared { text, document, draft, extent, .. } = &*self.shared;
        let read = || serde_json::from_str(text).unwrap_or_default();
        let plan = |document: &Value| Plan::of(*draft, document);
        extent.plain.then(|| document.get().map_or_else(|| plan(&read()), plan)).flatten()
    }

    /// A pattern that the engine can't take is the schema's fault with every value.
    fn can_be_compiled(&self) -> bool {
        let Shared { text, draft, extent, .. } = &*self.shared;
        !text.contains("\"pattern")
            || compiled(self.digest(), *draft, self.document(), extent.written).is_ok()
    }
}

#[cold]
fn unreadable(error: &JsonError) -> SchemaError {
    let path = error.path().unwrap_or_default();
    let problem = error.to_string();
    let place = if path.is_empty() { "at /: ".to_owned() } else { format!("at {path}: ") };
    SchemaError::schema(path, problem.strip_prefix(&place).unwrap_or(&problem))
}

impl fmt::Debug for Schema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Schema").field(&self.shared.text).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Schema;
    use crate::schema::Subject;

    fn schema(document: Value) -> Schema {
        Schema::new(document).unwrap()
    }

    fn fault(document: Value, value: &Value) -> String {
        let error = schema(document).validate(value).unwrap_err();
        assert_eq!(error.subject(), Subject::Value, "{error}");
        error.to_string()
    }

    #[test]
    fn a_fault_names_its_path_and_not_the_value() {
        let document = json!({"properties": {"a": {"items": {"type": "string"}}}});
        let error = fault(document, &json!({"a": ["x", 31_337]}));
        assert!(error.starts_with("at /a/1: "), "{error}");
        assert!(!error.contains("31337"), "{error}");
    }

    #[test]
    fn three_faults_are_told() {
        let error = fault(json!({"items": {"type": "string"}}), &json!([1, 2, 3, 4]));
        assert_eq!(error.matches("at /").count(), 3, "{error}");
    }

    #[test]
    fn the_first_fault_is_told_of_a_large_value() {
        let mut rows = vec![json!({"name": "x"}); 30_000];
        rows.push(json!({"name": 1}));
        let document = json!({"items": {"properties": {"name": {"type": ["string", "null"]}}}});
        let error = fault(document, &Value::Array(rows));
        assert!(error.starts_with("at /30000/name: "), "{error}");
    }

    #[test]
    fn a_wrong_value_is_refused_at_once_however_the_schema_branches() {
        let value = (0..100).fold(json!(1), |inner, _| json!({ "a": inner }));
        for choice in ["anyOf", "allOf", "oneOf"] {
            let branches = json!([{"$ref": "#"}, {"$ref": "#"}]);
            let document =
                json!({"type": ["object", "string"], "properties": {"a": {choice: branches}}});
            assert!(fault(document, &value).contains("too many branches"), "{choice}");
        }
    }

    #[test]
    fn a_wrong_schema_is_refused_when_it_is_defined() {
        for (document, expected) in [
            (json!({"type": 7}), "at /type"),
            (json!({"properties": {"a": {"minLength": -1}}}), "at /properties/a/minLength"),
            (json!([]), "the schema is wrong at /"),
            (json!(null), "the schema is wrong at /"),
            (json!({"$schema": "http://json-schema.org/draft-04/schema#"}), "at /$schema"),
            (json!({"$ref": "https://schemas.example/a.json"}), "outside the document"),
        ] {
            let error = Schema::new(document).unwrap_err();
            assert_eq!(error.subject(), Subject::Schema);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn a_pattern_that_the_engine_cannot_take_is_the_schemas_fault_each_time() {
        for pattern in ["[", "(((a{100}){100}){100})"] {
            let schema = schema(json!({"properties": {"a": {"pattern": pattern}}}));
            for _ in 0..2 {
                let error = schema.validate(&json!({"a": "x"})).unwrap_err();
                assert_eq!(error.subject(), Subject::Schema, "{error}");
                assert!(error.to_string().contains("the schema is wrong at "), "{error}");
            }
        }
    }

    #[test]
    fn a_pattern_without_end_refuses_the_value() {
        let error = fault(json!({"pattern": "(a*)*\\1b"}), &json!("a".repeat(40)));
        assert!(error.contains("backtracking"), "{error}");
    }

    #[test]
    fn annotations_refuse_nothing() {
        for draft in [
            "https://json-schema.org/draft/2020-12/schema",
            "http://json-schema.org/draft-07/schema#",
        ] {
            for annotation in [
                json!({"format": "date-time"}),
                json!({"format": "unheard-of"}),
                json!({"contentEncoding": "base64"}),
                json!({"contentMediaType": "application/json"}),
            ] {
                let mut document = annotation;
                document["$schema"] = json!(draft);
                assert!(schema(document).validate(&json!("%")).is_ok(), "{draft}");
            }
        }
    }

    #[test]
    fn each_draft_reads_its_own_keywords() {
        let tuple = |draft: &str| json!({"$schema": draft, "items": [{"type": "string"}], "additionalItems": false});
        let seventh = schema(tuple("http://json-schema.org/draft-07/schema#"));
        assert!(seventh.validate(&json!(["x"])).is_ok());
        assert!(seventh.validate(&json!(["x", 1])).is_err());
        assert!(Schema::new(tuple("https://json-schema.org/draft/2020-12/schema")).is_err());
    }

    #[test]
    fn a_value_is_never_altered_or_coerced() {
        let schema = schema(json!({"properties": {"n": {"type": "integer", "default": 1}}}));
        let value = json!({"n": "1", "unknown": true});
        let before = value.clone();
        assert!(schema.validate(&value).is_err());
        assert_eq!(value, before);
    }

    #[test]
    fn a_document_is_given_back_as_it_came() {
        for document in [
            json!(true),
            json!({"const": 0.1, "default": -0.0, "examples": [1.0, 1e300, 5e-324]}),
            json!({"maximum": u64::MAX, "minimum": i64::MIN, "title": "\u{0}\u{2028}\"é😀"}),
            (0..30).fold(json!({}), |inner, _| json!({"not": inner})),
        ] {
            let schema = schema(document.clone());
            assert_eq!(schema.text(), document.to_string());
            assert_eq!(schema.document(), &document);
            assert_eq!(schema.document().to_string(), document.to_string());
        }
    }

    #[test]
    fn equal_documents_share_a_digest() {
        let one = schema(json!({"type": "object", "required": ["a"]}));
        let other = schema(json!({"required": ["a"], "type": "object"}));
        assert_eq!(one.digest(), other.digest());
        assert_ne!(one.digest(), schema(json!({"type": "object"})).digest());
    }
}
