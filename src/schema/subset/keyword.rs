//! The keywords of the subset, and what each holds.

use super::{Formats, Reason};

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
pub(super) fn holds(keyword: &str, formats: Formats) -> Result<Holds, Reason> {
    Ok(match keyword {
        "$ref" | "$dynamicRef" | "$recursiveRef" => return Err(Reason::Reference),
        "pattern" | "patternProperties" => return Err(Reason::Pattern),
        "format" if formats == Formats::Refuse => return Err(Reason::Format),
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
