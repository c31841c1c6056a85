//! What is in the subset, and why what isn't is not.

use serde_json::{Value, json};

use super::{Formats, Reason, decode};
use crate::schema::{DEPTH, NODES};

fn refusal(document: Value) -> (Reason, String) {
    let error = decode(document.clone(), Formats::Refuse).err();
    let error = error.unwrap_or_else(|| panic!("{document} was taken"));
    assert!(error.to_string().contains(": "), "{error}");
    (error.reason(), error.path().to_owned())
}

#[test]
fn a_reference_is_refused_wherever_it_stands() {
    for (document, path) in [
        (json!({"$ref": "#"}), "/$ref"),
        (json!({"properties": {"a": {"items": {"$ref": "#/x"}}}}), "/properties/a/items/$ref"),
        (json!({"allOf": [true, {"$dynamicRef": "#a"}]}), "/allOf/1/$dynamicRef"),
        (json!({"$defs": {"unused": {"$ref": "#"}}}), "/$defs/unused/$ref"),
        (json!({"not": {"$recursiveRef": "#"}}), "/not/$recursiveRef"),
    ] {
        assert_eq!(refusal(document), (Reason::Reference, path.to_owned()));
    }
}

#[test]
fn a_regular_expression_is_refused() {
    assert_eq!(refusal(json!({"items": {"pattern": "a"}})).0, Reason::Pattern);
    assert_eq!(refusal(json!({"patternProperties": {"a": true}})).0, Reason::Pattern);
}

#[test]
fn reserved_names_are_refused_in_schemas_and_in_values() {
    for name in ["__proto__", "prototype", "constructor"] {
        for (document, path) in [
            (json!({"properties": {name: true}}), format!("/properties/{name}")),
            (json!({"required": ["a", name]}), "/required/1".to_owned()),
            (json!({"dependentRequired": {name: []}}), format!("/dependentRequired/{name}")),
            (json!({"dependentRequired": {"a": [name]}}), "/dependentRequired/a/0".to_owned()),
            (json!({"dependentSchemas": {name: true}}), format!("/dependentSchemas/{name}")),
            (json!({"default": {"a": [{name: 1}]}}), format!("/default/a/0/{name}")),
            (json!({"const": {name: 1}}), format!("/const/{name}")),
            (json!({"enum": [1, {name: 1}]}), format!("/enum/1/{name}")),
            (json!({"examples": [[{name: 1}]]}), format!("/examples/0/0/{name}")),
            (json!({"x-more": {name: 1}}), format!("/x-more/{name}")),
            (json!({ name: 1 }), format!("/{name}")),
        ] {
            assert_eq!(refusal(document), (Reason::ReservedName, path));
        }
        assert!(decode(json!({"const": name, "title": name}), Formats::Refuse).is_ok());
    }
}

#[test]
fn a_format_is_refused_or_kept_as_words() {
    let document = json!({"type": "string", "format": "uuid"});
    assert_eq!(refusal(document.clone()), (Reason::Format, "/format".to_owned()));
    let schema = decode(document, Formats::Annotate).unwrap();
    assert!(schema.validate(&json!("no uuid")).is_ok());
    assert!(decode(json!({"properties": {"format": true}}), Formats::Refuse).is_ok());
}

#[test]
fn a_pattern_is_kept_as_words_when_formats_are() {
    let document = json!({
        "properties": {"pattern": {"type": "string", "pattern": "^a"}}, "default": {"pattern": "^b"},
        "anyOf": [{"pattern": "^c", "x-pattern": "theirs"}],
    });
    let schema = decode(document, Formats::Annotate).unwrap();
    let kept = json!({
        "properties": {"pattern": {"type": "string", "x-pattern": "^a"}}, "default": {"pattern": "^b"},
        "anyOf": [{"x-pattern": ["theirs", "^c"]}],
    });
    assert_eq!(schema.document(), &kept);
    assert!(schema.validate(&json!({"pattern": "b"})).is_ok());
    let refused = decode(json!({"patternProperties": {"a": true}}), Formats::Annotate);
    assert_eq!(refused.unwrap_err().reason(), Reason::Pattern);
}

#[test]
fn a_keyword_of_the_other_draft_is_unknown() {
    let seventh = "http://json-schema.org/draft-07/schema#";
    for keyword in ["prefixItems", "dependentRequired", "unevaluatedProperties", "minContains"] {
        let document = json!({"$schema": seventh, keyword: {}});
        assert_eq!(refusal(document), (Reason::UnknownKeyword, format!("/{keyword}")));
    }
    assert_eq!(refusal(json!({"additionalItems": false})).0, Reason::UnknownKeyword);
    let tuple =
        json!({"$schema": seventh, "items": [{"type": "string"}], "additionalItems": false});
    assert!(decode(tuple, Formats::Refuse).is_ok());
}

#[test]
fn annotations_are_taken_and_unknown_keywords_are_not() {
    let annotated = json!({
        "title": "T", "description": "D", "default": 1, "example": 1, "examples": [1],
        "deprecated": true, "readOnly": true, "writeOnly": false, "externalDocs": {"url": "u"},
        "xml": {"name": "x"}, "discriminator": {"propertyName": "k"}, "x-vendor": {"$ref": "data"},
    });
    assert!(decode(annotated, Formats::Refuse).is_ok());
    for keyword in ["nullable", "contentEncoding", "contentMediaType", "dependencies", "minlength"]
    {
        let path = format!("/items/{keyword}");
        assert_eq!(refusal(json!({"items": {keyword: {}}})), (Reason::UnknownKeyword, path));
    }
}

#[test]
fn thirty_two_levels_pass_and_thirty_three_do_not() {
    let nested = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({ "not": inner }));
    assert!(decode(nested(DEPTH), Formats::Refuse).is_ok());
    assert_eq!(refusal(nested(DEPTH + 1)).0, Reason::Depth);
    let data = (1..DEPTH).fold(json!([]), |inner, _| json!([inner]));
    assert_eq!(refusal(json!({ "const": data })).0, Reason::Depth);
}

#[test]
fn fifty_thousand_nodes_pass_and_one_more_does_not() {
    let wide = |nodes: usize| json!({"enum": (2..nodes).collect::<Vec<_>>()});
    assert!(decode(wide(NODES), Formats::Refuse).is_ok());
    assert_eq!(refusal(wide(NODES + 1)).0, Reason::Nodes);
}

#[test]
fn a_document_of_a_million_levels_is_refused_without_recursion() {
    let document = (0..1_000_000).fold(json!({}), |inner, _| {
        Value::Object([("not".to_owned(), inner)].into_iter().collect())
    });
    let taken = std::thread::Builder::new().stack_size(128 << 10);
    let refused = taken.spawn(move || decode(document, Formats::Refuse).unwrap_err().reason());
    assert_eq!(refused.unwrap().join().unwrap(), Reason::Depth);
}

#[test]
fn what_is_no_schema_is_refused() {
    for document in
        [json!(1), json!(null), json!([]), json!({"type": 7}), json!({"required": {"a": 1}})]
    {
        assert_eq!(refusal(document).0, Reason::NotASchema);
    }
    assert!(decode(json!(true), Formats::Refuse).is_ok());
}
