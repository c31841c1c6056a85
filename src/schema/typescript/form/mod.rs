//! What a type is made of, before it is text.
//!
//! Owns the algebra: unions and intersections, simplified where that is exact.
//! Doesn't own keywords, nor how a form is written.
//!
//! A form borrows everything from the schema's document, so that a text that many
//! places refer to is held once.

mod intersection;
mod kinds;
mod literal;
mod union;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub(super) use intersection::intersection;
pub(super) use kinds::Kinds;
pub(super) use literal::Literal;
pub(super) use union::union;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form<'a> {
    /// Any value at all.
    Any,
    /// No value.
    Never,
    /// Any value of one kind.
    Kind(Kinds),
    /// One value.
    Literal(Literal<'a>),
    /// Objects of these properties.
    Object(Object<'a>),
    /// Lists of these items.
    List(List<'a>),
    /// One of several.
    Union(Vec<Self>),
    /// All of several.
    Intersection(Vec<Self>),
    /// The definition of this number, and the kinds of its values.
    Named(usize, Kinds),
    /// A type that something is said about.
    Documented(Doc<'a>, Box<Self>),
}

/// An object's properties, and what else it may hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Object<'a> {
    pub(super) properties: BTreeMap<&'a str, Property<'a>>,
    pub(super) rest: Rest<'a>,
}

/// One property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Property<'a> {
    pub(super) form: Form<'a>,
    pub(super) required: bool,
    pub(super) doc: Doc<'a>,
}

/// What an object may hold beside its properties.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rest<'a> {
    /// Nothing.
    Closed,
    /// Anything.
    Open,
    /// Values of this type. TypeScript demands that the properties are of it too.
    Typed(Box<Form<'a>>),
}

/// A list's first items, how many of them must be there, and what may follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct List<'a> {
    pub(super) first: Vec<Form<'a>>,
    pub(super) required: usize,
    pub(super) rest: Option<Box<Form<'a>>>,
}

/// The schemas whose words and bounds describe a type. They never tell two types apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Doc<'a>(pub(super) Vec<&'a Map<String, Value>>);

impl PartialEq for Doc<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Doc<'_> {}

impl PartialOrd for Doc<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Doc<'_> {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl<'a> Form<'a> {
    /// Any value of these kinds.
    pub(super) fn plain(kinds: Kinds) -> Self {
        if kinds == Kinds::ALL { Self::Any } else { union(kinds.each().map(Self::Kind)) }
    }

    /// The kinds that its values can have.
    pub(super) fn kinds(&self) -> Kinds {
        match self {
            Self::Any => Kinds::ALL,
            Self::Never => Kinds::NONE,
            Self::Kind(kinds) | Self::Named(_, kinds) => *kinds,
            Self::Literal(literal) => literal.kinds(),
            Self::Object(_) => Kinds::OBJECT,
            Self::List(_) => Kinds::LIST,
            Self::Union(forms) => forms.iter().map(Self::kinds).fold(Kinds::NONE, Kinds::or),
            Self::Intersection(forms) => forms.iter().map(Self::kinds).fold(Kinds::ALL, Kinds::and),
            Self::Documented(_, form) => form.kinds(),
        }
    }

    /// The form with something said about it.
    pub(super) fn documented(self, doc: Doc<'a>) -> Self {
        match self {
            Self::Documented(..) | Self::Never => self,
            form if doc.0.is_empty() => form,
            form => Self::Documented(doc, Box::new(form)),
        }
    }

    /// Whether it, or a form within it, is as asked for.
    pub(super) fn any(&self, is: &impl Fn(&Self) -> bool) -> bool {
        is(self)
            || match self {
                Self::Object(object) => {
                    let rest = match &object.rest {
                        Rest::Typed(form) => form.any(is),
                        Rest::Closed | Rest::Open => false,
                    };
                    rest || object.properties.values().any(|property| property.form.any(is))
                }
                Self::List(list) => {
                    let mut forms = list.first.iter().chain(list.rest.as_deref());
                    forms.any(|form| form.any(is))
                }
                Self::Union(forms) | Self::Intersection(forms) => {
                    forms.iter().any(|form| form.any(is))
                }
                Self::Documented(_, form) => form.any(is),
                _ => false,
            }
    }

    /// Whether it is so small that it may be said twice.
    pub(super) fn is_small(&self) -> bool {
        match self {
            Self::Any | Self::Never | Self::Kind(_) | Self::Named(..) => true,
            Self::Literal(literal) => !literal.0.is_array() && !literal.0.is_object(),
            Self::Union(forms) => forms.len() <= 6 && forms.iter().all(Self::is_small),
            Self::List(list) => {
                list.first.is_empty() && list.rest.as_ref().is_none_or(|rest| rest.is_small())
            }
            Self::Documented(_, form) => form.is_small(),
            Self::Object(_) | Self::Intersection(_) => false,
        }
    }
}
