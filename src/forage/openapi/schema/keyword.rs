//! The keywords of the two dialects, and what becomes of each.

use crate::forage::openapi::document::Version;

/// What becomes of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Says something about a value: copied.
    Constraint,
    /// Holds one schema.
    One,
    /// Holds one schema, or in either version a boolean.
    OneOrBoolean,
    /// Holds a list of schemas.
    List,
    /// Holds schemas by name.
    Named,
    /// Names the properties that must be there.
    Required,
    /// `type`, which in 3.0 `nullable` widens.
    Type,
    /// A bound that 3.0 makes exclusive by a keyword beside it.
    Bound(&'static str),
    /// That keyword of 3.0.
    Exclusive,
    /// `nullable` of 3.0, which `type` looks at.
    Nullable,
    /// A short text for the reader: kept, bounded.
    Title,
    /// A text for the reader: kept, bounded.
    Description,
    /// Data for the reader: kept.
    Annotation,
    /// Something for the reader that isn't kept.
    Passed,
    /// Can't be checked; perhaps it is told.
    Format,
    /// What a text holds, which can't be checked; perhaps it is told.
    Content,
    /// A regular expression; perhaps it is told.
    Pattern,
    /// Regular expressions that say where schemas apply.
    PatternProperties,
    /// The dialect.
    Dialect,
    /// None of this version's.
    Unknown,
}

/// What becomes of `keyword`.
pub(super) fn role(version: Version, keyword: &str) -> Role {
    match keyword {
        "type" => Role::Type,
        "title" => Role::Title,
        "description" => Role::Description,
        "default" | "deprecated" | "readOnly" | "writeOnly" => Role::Annotation,
        "example" | "externalDocs" | "xml" | "discriminator" => Role::Passed,
        "enum" | "multipleOf" | "maxLength" | "minLength" | "maxItems" | "minItems"
        | "uniqueItems" | "maxProperties" | "minProperties" => Role::Constraint,
        "required" => Role::Required,
        "items" | "not" => Role::One,
        "additionalProperties" => Role::OneOrBoolean,
        "allOf" | "anyOf" | "oneOf" => Role::List,
        "properties" => Role::Named,
        "format" => Role::Format,
        "pattern" => Role::Pattern,
        _ if keyword.starts_with("x-") => Role::Passed,
        _ => match version {
            Version::V30 => role_30(keyword),
            Version::V31 => role_31(keyword),
        },
    }
}

fn role_30(keyword: &str) -> Role {
    match keyword {
        "nullable" => Role::Nullable,
        "minimum" => Role::Bound("exclusiveMinimum"),
        "maximum" => Role::Bound("exclusiveMaximum"),
        "exclusiveMinimum" | "exclusiveMaximum" => Role::Exclusive,
        _ => Role::Unknown,
    }
}

fn role_31(keyword: &str) -> Role {
    match keyword {
        "const" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"
        | "minContains" | "maxContains" | "dependentRequired" => Role::Constraint,
        "contains"
        | "propertyNames"
        | "if"
        | "then"
        | "else"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Role::One,
        "prefixItems" => Role::List,
        "dependentSchemas" => Role::Named,
        "contentEncoding" | "contentMediaType" => Role::Content,
        "patternProperties" => Role::PatternProperties,
        // What $defs hold is reached by reference.
        "examples" | "$comment" | "$defs" => Role::Passed,
        "$schema" => Role::Dialect,
        _ => Role::Unknown,
    }
}

/// Whether a keyword beside a reference only tells the reader something.
pub(super) fn is_told(role: Role) -> bool {
    matches!(
        role,
        Role::Title | Role::Description | Role::Annotation | Role::Passed | Role::Dialect
    )
}

/// The dialects that a schema of 3.1 may say it is of.
pub(super) const DIALECTS: &[&str] = &[
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2020-12/schema#",
    "https://spec.openapis.org/oas/3.1/dialect/base",
];
