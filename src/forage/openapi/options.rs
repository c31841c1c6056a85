//! What the owner chooses for a document.

use crate::schema::subset;

/// How an owner wants a document read. The default is the strictest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// A parameter that carries a credential, in whatever place: it is withheld from
    /// programs. Beside it every API key that the document declares is withheld.
    pub auth_parameter: Option<String>,
    /// What is done with `format` and `pattern`.
    pub formats: Formats,
    /// Which requests are made.
    pub serialization: Serialization,
}

/// What is done with `format` and `pattern`, which aren't checked here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formats {
    /// An operation that reaches one isn't offered.
    #[default]
    Refuse,
    /// They tell the reader something and are never checked; the operation is marked.
    Annotate,
}

impl Formats {
    /// The same for the decoder of schemas.
    pub(super) fn of_subset(self) -> subset::Formats {
        match self {
            Self::Refuse => subset::Formats::Refuse,
            Self::Annotate => subset::Formats::Annotate,
        }
    }
}

/// Which requests are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Serialization {
    /// Scalar parameters in their default style, and JSON.
    #[default]
    Simple,
    /// Every style of OpenAPI but cookies and reserved characters; forms, multipart,
    /// texts, and files as base64.
    Full,
}
