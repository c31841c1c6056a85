//! One operation of a document: what it takes and gives, or why it can't be offered.

use super::{
    body,
    document::{Document, Part},
    finding::Findings,
    options::{Options, Serialization},
    parameter,
    path::Template,
    reason::Code,
    remark::Kind,
    response,
    schema::{Direction, HOPS, Survey},
    security::Credentials,
    table::Method,
};
use crate::{
    limits::{OPENAPI_DEPTH, OPENAPI_NODES, OPENAPI_TABLE_BYTES},
    schema::DEPTH,
};

/// Where an operation stands in a document.
#[derive(Clone, Debug)]
pub(super) struct Site<'a> {
    pub(super) path: &'a str,
    /// The method as the document writes it.
    pub(super) method: &'a str,
    pub(super) item: Part<'a>,
    pub(super) operation: Part<'a>,
}

/// What an operation takes and gives.
#[derive(Clone, Debug)]
pub(super) struct Declared<'a> {
    pub(super) method: Method,
    pub(super) parameters: Vec<parameter::Declared<'a>>,
    pub(super) body: Option<body::Declared<'a>>,
    pub(super) response: response::Declared<'a>,
}

/// Levels that the map of all inputs adds around each.
const INPUT_LEVELS: usize = 2;

/// Levels that a choice adds around each of several answers.
const CHOICE_LEVELS: usize = 2;

/// The most bytes of an operation's schemas: a table has room for them and the rest.
const STORED_BYTES: usize = OPENAPI_TABLE_BYTES - 32 * 1_024;

/// Reads operations.
pub(super) struct Reader<'a, 'r> {
    pub(super) document: &'a Document,
    pub(super) options: &'r Options,
    pub(super) credentials: &'r Credentials,
}

impl<'a> Reader<'a, '_> {
    /// The operation at `site`; none when something stands in its way.
    pub(super) fn read(
        &self,
        site: &Site<'a>,
        survey: &mut Survey<'a>,
    ) -> (Option<Declared<'a>>, Findings) {
        let mut findings = Findings::default();
        let operation = &site.operation;
        let method = method(site.method);
        if method.is_none() {
            findings.refuse(Code::MethodTrace, &operation.pointer);
        }
        if site.item.value.get("$ref").is_some() {
            findings.refuse(Code::PathItemReferenced, &site.item.pointer);
        }
        if operation.map().is_none() {
            findings.refuse(Code::OperationMalformed, &operation.pointer);
            return (None, findings);
        }
        let (path, fragment) = self.split(site.path);
        let template = Template::parse(path);
        if fragment.is_some() {
            findings.remark(Kind::FragmentLeftOut, &site.item.pointer);
        }
        if template.is_none() {
            findings.refuse(Code::PathUnsafe, &site.item.pointer);
        }
        let declared = self.parts(site, method, template.as_ref(), &mut findings);
        if let Some(declared) = &declared {
            self.measure(declared, operation, survey, &mut findings);
        }
        self.remark(site, &mut findings);
        (declared.filter(|_| findings.is_clear()), findings)
    }

    /// Looks at every schema of an operation, and adds up what they come to.
    fn measure(
        &self,
        declared: &Declared<'a>,
        operation: &Part<'a>,
        survey: &mut Survey<'a>,
        findings: &mut Findings,
    ) {
        let document = self.document;
        let choice = if declared.response.schemas.len() > 1 || declared.response.may_be_empty {
            CHOICE_LEVELS
        } else {
            0
        };
        let parameters = declared.parameters.iter().map(|parameter| &parameter.schema);
        let body = declared.body.iter().filter_map(|body| body.schema.as_ref());
        let inputs = parameters.chain(body).map(|part| (part, Direction::Request, INPUT_LEVELS));
        let outputs = declared.response.schemas.iter();
        let outputs = outputs.map(|part| (part, Direction::Response, choice));
        let (mut nodes, mut bytes) = (0_usize, 0_usize);
        let mut one_too_large = false;
        for (part, direction, levels) in inputs.chain(outputs) {
            let size = survey.look(part, direction, findings);
            // A schema that contains itself has neither size nor depth.
            if size.cyclic {
                continue;
            }
            nodes = nodes.saturating_add(size.nodes);
            bytes = bytes.saturating_add(size.bytes);
            if size.nodes > OPENAPI_NODES || size.bytes > STORED_BYTES {
                one_too_large = true;
                findings.refuse(Code::SchemaTooLarge, &document.place(part));
            }
            let deep = |depth: usize| depth.saturating_add(levels) > DEPTH.min(OPENAPI_DEPTH);
            if size.hops > HOPS
                || deep(size.depth) && deep(survey.stored_depth(part, direction, size))
            {
                findings.refuse(Code::SchemaTooDeep, &document.place(part));
            }
        }
        if (nodes > OPENAPI_NODES || bytes > STORED_BYTES) && !one_too_large {
            findings.refuse(Code::SchemaTooLarge, &operation.pointer);
        }
    }

    /// The path that is sent, and the fragment that documents tell operations apart by.
    /// With simple serialization a fragment is none, and its sign makes the path unsafe.
    pub(super) fn split(&self, path: &'a str) -> (&'a str, Option<&'a str>) {
        match path.split_once('#') {
            Some((sent, fragment)) if self.options.serialization == Serialization::Full => {
                (sent, Some(fragment))
            }
            _ => (path, None),
        }
    }

    fn parts(
        &self,
        site: &Site<'a>,
        method: Option<Method>,
        template: Option<&Template>,
        findings: &mut Findings,
    ) -> Option<Declared<'a>> {
        let Self { document, options, credentials } = self;
        let parameters = parameter::Reader { document, options, credentials };
        let parameters = parameters.read(&site.item, &site.operation, template, findings);
        let serialization = options.serialization;
        let body = body::read(document, serialization, &site.operation, findings);
        let response = response::read(document, serialization, &site.operation, findings);
        if method.is_some_and(|method| !method.may_have_body())
            && let Some(body) = site.operation.get("requestBody")
        {
            findings.refuse(Code::BodyUnsendable, &body.pointer);
        }
        // What is read in spite of a fault tells more faults.
        let nothing = || response::Declared {
            answer: super::table::Answer::Json,
            schemas: Vec::new(),
            may_be_empty: false,
            described: false,
        };
        let response = response.unwrap_or_else(nothing);
        Some(Declared { method: method.unwrap_or(Method::Get), parameters, body, response })
    }

    fn remark(&self, site: &Site<'a>, findings: &mut Findings) {
        for holder in [&site.item, &site.operation] {
            if let Some(servers) = holder.get("servers") {
                findings.remark(Kind::ServerElsewhere, &servers.pointer);
            }
        }
        if let Some(callbacks) = site.operation.get("callbacks") {
            findings.remark(Kind::CallbackUnanswered, &callbacks.pointer);
        }
    }
}

/// The method that a key of a path item names; none for TRACE.
fn method(key: &str) -> Option<Method> {
    Method::ALL.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(key))
}
