//! From a schema to a form.
//!
//! Owns the order in which keywords are asked and joined. Doesn't own any keyword.
//!
//! A schema says something about each kind of value apart: `properties` says nothing
//! about a string. So a form is made for the kinds that are still possible where the
//! schema stands, and everything beside it ([`Kinds`]) narrows those first.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    definitions::Definitions,
    form::{Doc, Form, Kinds, intersection, union},
    keyword,
    place::Place,
};

/// The most schemas within each other.
const PATH: usize = 320;

/// The most schemas that are projected in all, each as often as it is written out.
const STEPS: usize = 60_000;

/// What is known of a value from around a schema.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// The kinds that are still possible.
    pub(super) kinds: Kinds,
    /// Whether a closed object around it lists every property already, so that saying that
    /// others are allowed would be wrong.
    pub(super) sealed: bool,
    /// The definition that is being declared, as long as the schema applies to its own value.
    pub(super) body: Option<usize>,
    depth: usize,
}

impl Context {
    /// For a definition's body.
    pub(super) fn body(address: usize) -> Self {
        Self { kinds: Kinds::ALL, sealed: false, body: Some(address), depth: 0 }
    }

    /// For a schema of a part of the value.
    pub(super) fn part(self) -> Self {
        Self { kinds: Kinds::ALL, sealed: false, body: None, depth: self.depth }
    }
}

/// A projection under way.
pub(super) struct Projection<'a> {
    pub(super) definitions: Definitions<'a>,
    /// How often each `$dynamicAnchor` stands in the document.
    pub(super) anchors: BTreeMap<&'a str, usize>,
    kinds: BTreeMap<usize, Kinds>,
    steps: usize,
    /// Whether it went further than its bounds, so that what was made isn't whole.
    pub(super) exhausted: bool,
}

impl<'a> Projection<'a> {
    pub(super) fn new(document: &'a Value, definitions: Definitions<'a>) -> Self {
        let anchors = keyword::anchors(document);
        Self { definitions, anchors, kinds: BTreeMap::new(), steps: 0, exhausted: false }
    }

    /// The form of a schema, for the kinds that `context` leaves: [`Form::Any`] when it says
    /// nothing more about those.
    pub(super) fn form(&mut self, place: &Place<'a>, context: Context) -> Form<'a> {
        let context = Context { depth: context.depth.saturating_add(1), ..context };
        self.steps = self.steps.saturating_add(1);
        if self.steps > STEPS || context.depth > PATH {
            self.exhausted = true;
            return Form::Any;
        }
        if place.schema == &Value::Bool(false) {
            return Form::Never;
        }
        if place.keywords().is_none() {
            return Form::Any;
        }
        if keyword::nullable::applies(place) && context.kinds.has(Kinds::NULL) {
            let kinds = context.kinds.without(Kinds::NULL);
            return match self.said(place, Context { kinds, ..context }) {
                Form::Any => Form::Any,
                form => union([exact(form, kinds), Form::Kind(Kinds::NULL)]),
            };
        }
        self.said(place, context)
    }

    /// The form with what the schema says in words.
    pub(super) fn documented(&mut self, place: &Place<'a>, context: Context) -> Form<'a> {
        let doc = self.doc(place);
        self.form(place, context).documented(doc)
    }

    /// The schemas whose words belong to a value of `place`.
    pub(super) fn doc(&mut self, place: &Place<'a>) -> Doc<'a> {
        let mut sources = Vec::new();
        keyword::annotation::sources(place, &mut self.definitions, &mut sources);
        Doc(sources)
    }

    fn said(&mut self, place: &Place<'a>, around: Context) -> Form<'a> {
        let kinds = around.kinds.and(self.kinds(place));
        if kinds.is_empty() {
            return Form::Never;
        }
        let own = keyword::own(self, place, Context { kinds, ..around });
        let sealed = around.sealed || own.seals;
        let context = Context { kinds, sealed, ..around };
        let mut forms = vec![own.form];
        keyword::in_place(self, place, context, &mut forms);
        match intersection(forms) {
            Form::Any if kinds == around.kinds => Form::Any,
            form => exact(form, kinds),
        }
    }

    /// The kinds of the values that a schema allows.
    pub(super) fn kinds(&mut self, place: &Place<'a>) -> Kinds {
        let address = place.address();
        if let Some(kinds) = self.kinds.get(&address) {
            return *kinds;
        }
        // Until it is known, whoever meets it again within itself takes every kind.
        self.kinds.insert(address, Kinds::ALL);
        let kinds = keyword::kinds(self, place);
        self.kinds.insert(address, kinds);
        kinds
    }

    /// Whether `from` applies to the same value as `body`, by whichever way: a type may not be
    /// made of itself alone.
    pub(super) fn leads_to(&self, from: &Place<'a>, body: usize) -> bool {
        let mut waiting = vec![from.clone()];
        let mut seen = BTreeSet::new();
        while let Some(place) = waiting.pop() {
            if place.address() == body {
                return true;
            }
            if seen.insert(place.address()) {
                waiting.extend(place.in_place());
            }
        }
        false
    }
}

/// A form that says its kinds itself.
fn exact(form: Form<'_>, kinds: Kinds) -> Form<'_> {
    if kinds.has(form.kinds()) { form } else { intersection([form, Form::plain(kinds)]) }
}
