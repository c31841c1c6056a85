//! What an owner should know of an operation that is offered all the same.

use std::fmt;

use super::pointer::Pointer;

/// Declares the kinds once.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident $code:literal $meaning:literal)*) => {
        /// A kind of remark.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $variant,)*
        }

        impl Kind {
            /// The stable code.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// What it means.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

kinds! {
    /// A parameter that programs can't send.
    CredentialWithheld "credential-withheld"
        "it carries a credential: the connection sends it, a program can't"
    /// A header that programs can't send.
    HeaderWithheld "header-withheld"
        "the header is the host's own: a program can't send it"
    /// An optional parameter that no style here can say.
    ParameterWithheld "parameter-withheld"
        "the parameter is optional and no request can say it here: a program can't send it"
    /// A fragment in a path.
    FragmentLeftOut "fragment-left-out"
        "what follows # in the path tells operations apart in the document and is never sent"
    /// A format or pattern that is told and never checked.
    FormatUnchecked "format-unchecked"
        "formats and patterns are annotations here: nothing checks them"
    /// What stands beside a reference in 3.0.
    SiblingIgnored "sibling-ignored"
        "what stands beside a $ref counts for nothing in OpenAPI 3.0"
    /// Another media type that the server takes or gives.
    MediaLeftOut "media-left-out"
        "another media type is declared and isn't used"
    /// A server of the operation's own.
    ServerElsewhere "server-elsewhere"
        "the document says that this operation has a server of its own: every request goes to the one you choose"
    /// Callbacks that nobody answers.
    CallbackUnanswered "callback-unanswered"
        "the server may call back, and nobody answers here"
    /// A text that was cut.
    TextCut "text-cut"
        "the text was too long and is cut"
    /// Tags that were left out.
    TagsLeftOut "tags-left-out"
        "there are more tags than are kept"
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A remark on one operation: the first place that gives cause for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub(super) kind: Kind,
    pub(super) pointer: Pointer,
    pub(super) count: usize,
}

impl Remark {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The JSON Pointer of the first node that gives cause for it.
    #[must_use]
    pub fn pointer(&self) -> String {
        self.pointer.to_string()
    }

    /// How many nodes do.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at {}", self.kind, self.pointer)?;
        if self.count > 1 {
            write!(formatter, " and {} more", self.count.saturating_sub(1))?;
        }
        write!(formatter, ": {}", self.kind.meaning())
    }
}
