//! Why an operation can't be offered.
//!
//! Owns the closed list of reasons. A reason points to the node of the document that
//! causes it: without that node the reason is gone.

use std::fmt;

use super::pointer::Pointer;

/// Declares the codes once.
macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $code:literal $rule:literal)*) => {
        /// What stands in the way of an operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code there is.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The stable code.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// What is wrong, and what to do next.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { $(Self::$variant => $rule,)* }
            }
        }
    };
}

codes! {
    /// It is a TRACE.
    MethodTrace "method-trace"
        "TRACE is never sent: leave it out"
    /// Its path item stands elsewhere.
    PathItemReferenced "path-item-referenced"
        "a path item that is a reference isn't read: write it out under its path"
    /// It is a webhook, which the server calls.
    Webhook "webhook"
        "a webhook is called by the server, not by us"
    /// It is a callback, which the server calls.
    Callback "callback"
        "a callback is called by the server, not by us"
    /// It isn't built as OpenAPI says.
    OperationMalformed "operation-malformed"
        "the operation isn't built as OpenAPI says: correct the document"
    /// Its path could lead elsewhere.
    PathUnsafe "path-unsafe"
        "the path has an empty or dot segment, a query, a fragment, a backslash, an encoded separator or an unpaired brace: correct the document"
    /// A placeholder of its path has no parameter.
    PathParameterMissing "path-parameter-missing"
        "a placeholder of the path has no required path parameter: declare it"
    /// A path parameter isn't in its path.
    PathParameterUnused "path-parameter-unused"
        "a path parameter has no placeholder in the path: correct its name"
    /// A path parameter isn't required.
    PathParameterOptional "path-parameter-optional"
        "a path parameter isn't marked as required: mark it"
    /// A path parameter is a credential.
    PathCredential "path-credential"
        "the path holds what the owner named as the credential, and a connection sends that in a header or the query only: leave the operation out"
    /// A parameter is in a cookie.
    ParameterCookie "parameter-cookie"
        "a cookie is a credential, and a program sends none: leave the parameter out"
    /// A parameter is described by a media type.
    ParameterContent "parameter-content"
        "a parameter with content is sent with full serialization, as JSON, only"
    /// A parameter leaves reserved characters as they are.
    ParameterReserved "parameter-allow-reserved"
        "allowReserved would let a value change the URL: leave it out"
    /// A parameter's style isn't the default.
    ParameterStyle "parameter-style"
        "the style is sent with full serialization only, or doesn't exist for this place"
    /// A parameter is a list, a map, or anything.
    ParameterNotScalar "parameter-not-scalar"
        "a parameter that isn't a text, a number or a boolean is sent with full serialization only"
    /// A parameter nests deeper than its style can say.
    ParameterNested "parameter-nested"
        "the style can't say a list or a map within the parameter: send it as JSON in the body"
    /// Two parameters are one.
    ParameterDuplicate "parameter-duplicate"
        "two parameters have the same place and name: leave one out"
    /// A parameter isn't built as OpenAPI says.
    ParameterMalformed "parameter-malformed"
        "the parameter isn't built as OpenAPI says: correct the document"
    /// A header's name isn't one.
    HeaderName "header-name"
        "a header's name has letters, digits and a few signs only: correct it"
    /// A required header belongs to the host.
    HeaderReserved "header-reserved"
        "the header is the host's own and a program can't send it: make the parameter optional"
    /// A name that JavaScript's objects have.
    NameReserved "name-reserved"
        "__proto__, prototype and constructor are refused as names: rename it"
    /// Its body has no media type that is sent.
    BodyMedia "body-media"
        "no media type of the body is JSON: forms, texts and files are sent with full serialization only"
    /// A request without a body declares one.
    BodyUnsendable "body-unsendable"
        "GET and HEAD have no body: leave it out"
    /// Its form isn't a map of named parts.
    BodyForm "body-form"
        "a form is a map with named properties: describe it so"
    /// Its body isn't built as OpenAPI says.
    BodyMalformed "body-malformed"
        "the body isn't built as OpenAPI says: correct the document"
    /// Its answer has no media type that is read.
    ResponseMedia "response-media"
        "no media type of the answer is JSON: texts and files are read with full serialization only"
    /// A response isn't built as OpenAPI says.
    ResponseMalformed "response-malformed"
        "the response isn't built as OpenAPI says: correct the document"
    /// A reference leads to nothing.
    ReferenceBroken "reference-broken"
        "the reference leads to nothing in this document: correct it"
    /// A reference leads to itself.
    ReferenceCycle "reference-cycle"
        "the reference leads back to itself: correct it"
    /// A schema contains itself.
    SchemaRecursive "schema-recursive"
        "the schema contains itself: describe as many levels as you need"
    /// Its schemas are too large.
    SchemaTooLarge "schema-too-large"
        "the operation's schemas have more than 50000 nodes, or more bytes than a table holds, with every reference expanded: describe less"
    /// A schema is too deep.
    SchemaTooDeep "schema-too-deep"
        "the schema has more than 32 levels with every reference expanded: describe less"
    /// A schema has a format.
    SchemaFormat "schema-format"
        "a format can't be checked: allow formats as annotations, or leave it out"
    /// A schema has a regular expression.
    SchemaPattern "schema-pattern"
        "a pattern can't be checked: allow formats as annotations, or leave it out"
    /// A schema has a keyword that isn't known.
    SchemaKeyword "schema-keyword"
        "the keyword isn't one of this version's: leave it out, or begin its name with x-"
    /// A schema isn't one.
    SchemaMalformed "schema-malformed"
        "the schema isn't one: correct the document"
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why an operation can't be offered, and the node that causes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    code: Code,
    pointer: Pointer,
}

impl Reason {
    pub(super) fn new(code: Code, pointer: &Pointer) -> Self {
        Self { code, pointer: pointer.clone() }
    }

    /// What stands in the way.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The JSON Pointer of the node that causes it.
    #[must_use]
    pub fn pointer(&self) -> String {
        self.pointer.to_string()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at {}: {}", self.code, self.pointer, self.code.rule())
    }
}
