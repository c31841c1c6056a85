//! The keywords of the subset, and what each holds.

use referencing::Draft;

use super::{Formats, Reason};

/// By which rules a document is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) formats: Formats,
    pub(super) draft: Draft,
}

/// What a keyword's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A schema, or a list of schemas.
    Schemas,
    /// Schemas by property names.
    Properties,
    /// Schemas by names that aren't properties.
    Definitions,
    /// A list of property names.
    Names,
    /// Lists of property names, by property names.
    NamesByName,
    /// A value, as it is.
    Data,
}

/// What a keyword holds; or why no schema with it is in the subset.
pub(super) fn holds(keyword: &str, rules: Rules) -> Result<Holds, Reason> {
    let refuses = rules.formats == Formats::Refuse;
    Ok(match keyword {
        name if !is_of_draft(name, rules.draft) => return Err(Reason::UnknownKeyword),
        "$ref" | "$dynamicRef" | "$recursiveRef" => return Err(Reason::Reference),
        "patternProperties" => return Err(Reason::Pattern),
        "pattern" if refuses => return Err(Reason::Pattern),
        "format" if refuses => return Err(Reason::Format),
        "items"
        | "prefixItems"
        | "additionalItems"
        | "contains"
        | "additionalProperties"
        | "propertyNames"
        | "allOf"
        | "anyOf"
        | "oneOf"
        | "not"
        | "if"
        | "then"
        | "else"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::Schemas,
        "properties" | "dependentSchemas" => Holds::Properties,
        "$defs" | "definitions" => Holds::Definitions,
        "required" => Holds::Names,
        "dependentRequired" => Holds::NamesByName,
        name if is_data(name) || is_annotation(name) => Holds::Data,
        _ => return Err(Reason::UnknownKeyword),
    })
}

/// Whether a draft's validator reads the keyword: one that it passes over would ask for nothing.
fn is_of_draft(keyword: &str, draft: Draft) -> bool {
    match keyword {
        "prefixItems"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "minContains"
        | "maxContains" => draft != Draft::Draft7,
        "additionalItems" => draft == Draft::Draft7,
        _ => true,
    }
}

/// Keywords that ask something of a value and hold no schemas.
fn is_data(keyword: &str) -> bool {
    matches!(
        keyword,
        "$schema"
            | "type"
            | "const"
            | "enum"
            | "minLength"
            | "maxLength"
            | "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "multipleOf"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "minContains"
            | "maxContains"
            | "minProperties"
            | "maxProperties"
    )
}

/// Keywords that describe and ask nothing.
fn is_annotation(keyword: &str) -> bool {
    let known = matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "example"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "externalDocs"
            | "xml"
            | "discriminator"
            | "format"
            | "pattern"
            | "$comment"
            | "$id"
            | "$anchor"
    );
    known || keyword.starts_with("x-")
}

/// Whether an object's property of that name changes what objects inherit.
pub(super) fn is_reserved(name: &str) -> bool {
    matches!(name, "__proto__" | "prototype" | "constructor")
}
