//! `type = "pen"`: the magic pen, with its writer, its bucket and its personas.

use std::collections::BTreeMap;

use super::{Connection, Files, Type, files};
use crate::{
    config::{
        error::Errors,
        form::{Fields, Form, Rule, Text, Whole, section, words},
        node::{Node, Place},
        rule::{BindingName, Said, SecretName, Url},
    },
    knapsack::{openapi::Server, patch::checked_path},
    limits::{LONGEST_TIMEOUT_MS, WRITER_MS},
    mcp::Actor,
    pen::{Lang, Persona, Personas},
};

/// Where accepted pens go, unless the owner says.
const SHARED_LIB: &str = "factory/module-registry/shared-lib";

section! {
    /// As it is written.
    pub(in crate::config) struct Written {
        bucket: BindingName, "", "The binding of the bucket in `wrangler.toml`, under `r2_buckets`, in which pens are kept and shared.";
        writer: WrittenWriter, "", "What writes programs.";
        default_lang: Option<LangWord>, "python", "The language of a pen that asks for none. This host runs node alone.";
        shared_lib: Option<Text<IsFolder>>, "factory/module-registry/shared-lib", "Where in the bucket accepted pens are copied to.";
        hosts: Vec<Text<IsHost>>, "none", "The hosts that a pen may ask for in `network.allow`.";
        files: Option<files::Written>, "none", "The files that a pen may ask for paths of in `fs.allow_paths`.";
        personas: BTreeMap<String, Vec<Text<IsActor>>>, "agents as themselves", "Who else may act as a persona: each persona with a list of actors.";
        reviewers: Vec<Text<IsActor>>, "nobody", "Who reviews what is shared.";
    }
}

section! {
    /// What writes programs: either `url`, or `binding`, or `offline`.
    pub(in crate::config) struct WrittenWriter {
        url: Option<Url>, "none", "An endpoint that speaks the OpenAI chat API, up to and without `/chat/completions`.";
        binding: Option<BindingName>, "none", "The binding of Workers AI in `wrangler.toml`, under `ai`.";
        offline: Option<bool>, "false", "Whether the offline writer is used, which writes the same program for every intent.";
        model: Option<Said>, "none", "The model.";
        secret: Option<SecretName>, "none", "The secret that requests to `url` carry as bearer.";
        timeout_ms: Option<Whole<1, LONGEST_TIMEOUT_MS>>, "60000", "Milliseconds that it has for one answer.";
    }
}

words! {
    /// A language.
    LangWord(Lang) {
        "python" => Lang::Python,
        "node" => Lang::Node,
        "shell" => Lang::Shell,
    }
}

/// Of a folder in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct IsFolder;

impl Rule for IsFolder {
    const ACCEPTED: &'static str = "a path such as library/pens, without empty, . or .. parts,";
    const PATTERN: &'static str = "^[^/]+(/[^/]+)*$";

    fn holds(text: &str) -> bool {
        checked_path(text).is_ok() && text.len() <= 512
    }
}

/// Of a host that a pen may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct IsHost;

impl Rule for IsHost {
    const ACCEPTED: &'static str =
        "a host such as api.example or api.example:8443, in small letters,";
    const PATTERN: &'static str = "^[^/\\s@*]+$";

    fn holds(text: &str) -> bool {
        !text.contains('/') && Server::new(&format!("https://{text}")).is_ok()
    }
}

/// Of someone who acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct IsActor;

impl Rule for IsActor {
    const ACCEPTED: &'static str = "member:ID, agent:ID or team-key:ID";
    const PATTERN: &'static str = "^(member|agent|team-key):.+$";

    fn holds(text: &str) -> bool {
        text.split_once(':').is_some_and(|(kind, id)| Actor::of(kind, id).is_some())
    }
}

/// The magic pen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pen {
    /// The binding of its bucket.
    pub bucket: String,
    /// What writes programs.
    pub writer: PenWriter,
    /// Milliseconds that it has for one answer.
    pub writer_ms: u64,
    /// The language of a pen that asks for none.
    pub default_lang: Lang,
    /// Where in the bucket accepted pens are copied to.
    pub shared_lib: String,
    /// The hosts that pens may ask for.
    pub hosts: Vec<String>,
    /// The files that pens may ask for paths of.
    pub files: Option<Files>,
    /// Who may act as which persona, as pairs of persona and actor.
    pub personas: Vec<(Persona, String)>,
    /// Who reviews.
    pub reviewers: Vec<String>,
}

/// What writes programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PenWriter {
    /// An endpoint that speaks the OpenAI chat API.
    Endpoint {
        /// Its URL.
        url: String,
        /// The model.
        model: String,
        /// The name of the secret that requests carry.
        secret: Option<String>,
    },
    /// Workers AI.
    Binding {
        /// The binding.
        binding: String,
        /// The model.
        model: String,
    },
    /// The offline writer.
    Offline,
}

pub(super) const TYPE: Type =
    Type { word: "pen", keys: Written::KEYS, read, schema: Written::schema, rows: Written::keys };

fn read(
    fields: &Fields<'_>,
    node: &Node,
    place: &Place<'_>,
    errors: &mut Errors,
) -> Option<Connection> {
    let written = Written::read_fields(fields, errors)?;
    let writer_ms = written.writer.timeout_ms.map_or(WRITER_MS, |ms| ms.0);
    let Some(writer) = writer(written.writer) else {
        let accepted = "a writer with either url and model, or binding and model, or offline = true alone; \
                        secret goes with url";
        errors.wrong(&place.of("writer"), node, accepted);
        return None;
    };
    let personas = personas(written.personas, node, place, errors)?;
    let shared_lib = written.shared_lib.map_or_else(|| SHARED_LIB.to_owned(), |folder| folder.0);
    let files = written.files.map(Files::from);
    let apart =
        |files: &Files| files.bucket != written.bucket.0 || is_apart(&files.prefix, &shared_lib);
    if !files.as_ref().is_none_or(apart) {
        let accepted = "files in another bucket, or below a prefix that holds no pens,";
        errors.wrong(&place.of("files"), node, accepted);
        return None;
    }
    Some(Connection::Pen(Pen {
        bucket: written.bucket.0,
        writer,
        writer_ms,
        default_lang: written.default_lang.map(|lang| lang.0).unwrap_or_default(),
        shared_lib,
        hosts: written.hosts.into_iter().map(|host| host.0).collect(),
        files,
        personas,
        reviewers: written.reviewers.into_iter().map(|actor| actor.0).collect(),
    }))
}

/// Whether what lies below `prefix` is no pen's: any pen could ask for it by its path.
fn is_apart(prefix: &str, shared_lib: &str) -> bool {
    let inside = |inner: &str, outer: &str| format!("{inner}/").starts_with(&format!("{outer}/"));
    let prefix = prefix.trim_end_matches('/');
    let folders = [".github/persona-brain", "factory/module-registry", shared_lib];
    !prefix.is_empty()
        && folders.iter().all(|folder| !inside(prefix, folder) && !inside(folder, prefix))
}

fn writer(written: WrittenWriter) -> Option<PenWriter> {
    let WrittenWriter { url, binding, offline, model, secret, .. } = written;
    let (model, secret) = (model.map(|model| model.0), secret.map(|secret| secret.0));
    match (url, binding, offline.unwrap_or(false)) {
        (Some(url), None, false) => Some(PenWriter::Endpoint { url: url.0, model: model?, secret }),
        (None, Some(binding), false) if secret.is_none() => {
            Some(PenWriter::Binding { binding: binding.0, model: model? })
        }
        (None, None, true) if secret.is_none() && model.is_none() => Some(PenWriter::Offline),
        _ => None,
    }
}

fn personas(
    written: BTreeMap<String, Vec<Text<IsActor>>>,
    node: &Node,
    place: &Place<'_>,
    errors: &mut Errors,
) -> Option<Vec<(Persona, String)>> {
    let mut all = Vec::new();
    for (name, actors) in written {
        let Some(persona) = Persona::new(&name) else {
            let accepted = "the name of a persona (letters, digits and _, at most 64),";
            errors.wrong(&place.of("personas").of(&name), node, accepted);
            return None;
        };
        all.extend(actors.into_iter().map(|actor| (persona.clone(), actor.0)));
    }
    Some(all)
}

impl Pen {
    /// Who may act as whom, and who reviews.
    #[must_use]
    pub fn authority(&self) -> Personas {
        let granted =
            self.personas.iter().fold(Personas::default(), |personas, (persona, actor)| {
                personas.grant(persona.clone(), actor)
            });
        self.reviewers.iter().fold(granted, Personas::reviewer)
    }

    pub(super) fn secret(&self) -> Option<&str> {
        match &self.writer {
            PenWriter::Endpoint { secret, .. } => secret.as_deref(),
            PenWriter::Binding { .. } | PenWriter::Offline => None,
        }
    }

    pub(super) fn target(&self) -> String {
        let writer = match &self.writer {
            PenWriter::Endpoint { url, model, .. } => format!("{model} at {url}"),
            PenWriter::Binding { binding, model } => format!("{model} of {binding}"),
            PenWriter::Offline => "the offline writer".to_owned(),
        };
        format!("{writer}, R2 bucket {}", self.bucket)
    }
}
