//! The declarations that callers ask for.

use referencing::Draft;
use serde_json::Value;

use super::{
    ProjectionError, Schema,
    definitions::Definitions,
    form::{Doc, Form},
    place::Place,
    print::Printer,
    projection::{Context, Projection},
    text::{Full, Text},
};
use crate::schema::{
    meta,
    reference::{self, Scope},
};

/// A schema as TypeScript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    text: String,
}

impl Declaration {
    /// The statements: the first is `type <alias> = …;`, those after it are the definitions
    /// that recursion or repetition needs, named `<alias>$<Name>`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// `schema` declared as `alias`, a TypeScript identifier, in at most `bound` bytes.
///
/// ```
/// use mycelium::schema::{Schema, typescript::declare};
/// use serde_json::json;
///
/// let schema = Schema::new(json!({"type": "array", "items": {"enum": ["a", "b"]}}))?;
/// assert_eq!(declare(&schema, "Letters", 1_000)?.text(), r#"type Letters = ("a" | "b")[];"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The declaration takes more than `bound` bytes, or more steps than a projection may.
pub fn declare(schema: &Schema, alias: &str, bound: usize) -> Result<Declaration, ProjectionError> {
    declare_document(schema.document(), alias, bound)
}

/// The widest true type of a document that isn't taken as a schema, for one that is only
/// shown: a reference that can't be followed is any value.
///
/// # Errors
///
/// As [`declare`].
pub fn declare_document(
    document: &Value,
    alias: &str,
    bound: usize,
) -> Result<Declaration, ProjectionError> {
    let text = Text::new(bound, false);
    in_scope(document, |root| statements(document, root, alias, text))
        .map(|text| Declaration { text })
        .map_err(|failure| match failure {
            Failure::Full => ProjectionError::TooLarge { bound },
            Failure::Exhausted => ProjectionError::TooManySteps,
        })
}

/// `schema` as a type on one line without comments; none when it takes more than `bound`
/// bytes or refers to itself: the reader is then told its alias.
#[must_use]
pub fn inline(schema: &Schema, bound: usize) -> Option<String> {
    let document = schema.document();
    in_scope(document, |root| {
        let mut projection = Projection::new(document, Definitions::of(root, "", false));
        let form = projection.form(root, Context::body(root.address()));
        if projection.exhausted || names(&form) {
            return Err(Failure::Exhausted);
        }
        let text = Text::new(bound, true);
        let mut printer = Printer { text, definitions: &projection.definitions };
        printer.form(&form)?;
        Ok(printer.text.finish())
    })
    .ok()
}

/// Why there is no text.
enum Failure {
    Full,
    Exhausted,
}

impl From<Full> for Failure {
    fn from(Full: Full) -> Self {
        Self::Full
    }
}

/// Reads a document as its draft says, with its references resolved.
fn in_scope<T>(document: &Value, read: impl FnOnce(&Place<'_>) -> T) -> T {
    let draft = meta::draft_of(document).unwrap_or(Draft::Draft202012);
    let registry = reference::registry(draft, document);
    let scope = registry.as_ref().ok().and_then(|registry| Scope::named(draft, registry).ok());
    read(&Place::root(document, draft, scope.unwrap_or(Scope::Root(document))))
}

fn statements<'a>(
    document: &'a Value,
    root: &Place<'a>,
    alias: &'a str,
    text: Text,
) -> Result<String, Failure> {
    let mut projection = Projection::new(document, Definitions::of(root, alias, true));
    let mut bodies = vec![body(&mut projection, root)];
    let mut next = 0_usize;
    while let Some(definition) = projection.definitions.met.get(next) {
        let place = definition.place.clone();
        bodies.push(body(&mut projection, &place));
        next = next.saturating_add(1);
    }
    if projection.exhausted {
        return Err(Failure::Exhausted);
    }
    let mut printer = Printer { text, definitions: &projection.definitions };
    for (number, (doc, form)) in bodies.iter().enumerate() {
        printer.text.push(if number > 0 { "\n" } else { "" })?;
        printer.statement(projection.definitions.name(number), doc, form)?;
    }
    Ok(printer.text.finish())
}

fn body<'a>(projection: &mut Projection<'a>, place: &Place<'a>) -> (Doc<'a>, Form<'a>) {
    let doc = projection.doc(place);
    (doc, projection.form(place, Context::body(place.address())))
}

/// Whether a form needs a definition beside it.
fn names(form: &Form<'_>) -> bool {
    form.any(&|form| matches!(form, Form::Named(..)))
}
