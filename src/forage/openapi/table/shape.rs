//! How one call becomes a request: all that a connection knows of an operation.

use serde::{Deserialize, Serialize};

use crate::operation::Access;

/// A method that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Takes something away.
    Delete,
    /// Gives something.
    Get,
    /// Gives what [`Method::Get`] would, without the body.
    Head,
    /// Says what may be done.
    Options,
    /// Changes something.
    Patch,
    /// Does something.
    Post,
    /// Puts something in its place.
    Put,
}

impl Method {
    /// Every method that is sent.
    pub const ALL: [Self; 7] =
        [Self::Delete, Self::Get, Self::Head, Self::Options, Self::Patch, Self::Post, Self::Put];

    /// The method in capitals.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Delete => "DELETE",
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Options => "OPTIONS",
            Self::Patch => "PATCH",
            Self::Post => "POST",
            Self::Put => "PUT",
        }
    }

    /// Whether it observes or changes.
    #[must_use]
    pub fn access(self) -> Access {
        match self {
            Self::Get | Self::Head | Self::Options => Access::Read,
            Self::Delete | Self::Patch | Self::Post | Self::Put => Access::Write,
        }
    }

    /// Whether a request may have a body.
    #[must_use]
    pub fn may_have_body(self) -> bool {
        !matches!(self, Self::Get | Self::Head)
    }
}

/// Where a parameter stands in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
}

impl Place {
    /// As OpenAPI writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
        }
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Style {
    /// `a,b`
    Simple,
    /// `.a.b`
    Label,
    /// `;name=a,b`
    Matrix,
    /// `name=a,b`
    Form,
    /// `name=a%20b`
    SpaceDelimited,
    /// `name=a%7Cb`
    PipeDelimited,
    /// `name[key]=a`
    DeepObject,
    /// As JSON.
    Json,
}

impl Style {
    /// The style that OpenAPI calls `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "simple" => Self::Simple,
            "label" => Self::Label,
            "matrix" => Self::Matrix,
            "form" => Self::Form,
            "spaceDelimited" => Self::SpaceDelimited,
            "pipeDelimited" => Self::PipeDelimited,
            "deepObject" => Self::DeepObject,
            _ => return None,
        })
    }

    /// The style that holds at `place` when none is said.
    #[must_use]
    pub fn default_at(place: Place) -> Self {
        match place {
            Place::Path | Place::Header => Self::Simple,
            Place::Query => Self::Form,
        }
    }

    /// Whether OpenAPI has the style at `place`.
    #[must_use]
    pub fn is_at(self, place: Place) -> bool {
        match self {
            Self::Simple => place != Place::Query,
            Self::Label | Self::Matrix => place == Place::Path,
            Self::Form | Self::SpaceDelimited | Self::PipeDelimited | Self::DeepObject => {
                place == Place::Query
            }
            Self::Json => true,
        }
    }
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// What the server calls it.
    pub name: String,
    /// What a program calls it: the name, unless something else of the operation has it too.
    pub input: String,
    /// Where it stands.
    #[serde(rename = "in")]
    pub place: Place,
    /// How it is written.
    pub style: Style,
    /// Whether a list or map is written as one part per item.
    pub explode: bool,
    /// Whether it must be given.
    pub required: bool,
}

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// As JSON.
    Json,
    /// As `application/x-www-form-urlencoded`.
    Urlencoded,
    /// As `multipart/form-data`.
    Multipart,
    /// As the text that was given.
    Text,
    /// As the bytes whose base64 was given.
    Base64,
}

/// The body of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// What a program calls it.
    pub input: String,
    /// The media type that is sent.
    pub media: String,
    /// How it is written.
    pub form: Form,
    /// Whether it must be given.
    pub required: bool,
    /// The parts of a form that aren't written as usual, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// One part of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The property's name.
    pub name: String,
    /// How it is written in a urlencoded form; none for the usual way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// Whether a list or map is written as one part per item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explode: Option<bool>,
    /// The media type of the part in a multipart form; none for the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<String>,
    /// Whether the text that is given is the base64 of a file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub base64: bool,
}

/// What a successful answer is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// JSON.
    Json,
    /// A text.
    Text,
    /// A file, as base64.
    Base64,
}
