//! One operation as its author declares it.

use std::{fmt, future::Future, rc::Rc};

use futures::FutureExt;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    Access, Callable, Context, DefinitionError, Fault, Labels, OperationError, Replay,
    callable::{Decoder, Run},
    typed,
};
use crate::schema::{Schema, SchemaError};

/// What a schema is made of where an operation is declared.
///
/// A document that is no schema shows when the operation is installed, and is
/// then named by module and key.
pub trait IntoSchema {
    /// The schema, or the rule it breaks.
    ///
    /// # Errors
    ///
    /// Why it is none.
    fn into_schema(self) -> Result<Schema, String>;
}

impl IntoSchema for Schema {
    fn into_schema(self) -> Result<Schema, String> {
        Ok(self)
    }
}

impl IntoSchema for Value {
    fn into_schema(self) -> Result<Schema, String> {
        Schema::new(self).map_err(|error| error.to_string())
    }
}

/// A schema's [text](Schema::parse).
impl IntoSchema for &str {
    fn into_schema(self) -> Result<Schema, String> {
        Schema::parse(self).map_err(|error| error.to_string())
    }
}

impl IntoSchema for Result<Schema, SchemaError> {
    fn into_schema(self) -> Result<Schema, String> {
        self.map_err(|error| error.to_string())
    }
}

/// An operation being declared: what it takes, what it gives, what it does.
///
/// With types, the schemas are theirs:
///
/// ```
/// use mycelium::{Catalog, Module, Operation, operation::{Access, Context}};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Sum {
///     a: f64,
///     b: f64,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Total {
///     total: f64,
/// }
///
/// let add = Operation::typed(|sum: Sum, _context| async move {
///     Ok(Total { total: sum.a + sum.b })
/// })
/// .describe("Adds two numbers.")
/// .access(Access::Read);
///
/// let catalog = Catalog::new([Module::new("example-math", "math").operation("add", add)])?;
/// let add = catalog.find("math.add").unwrap().operation();
/// assert_eq!(add.input_schema().document()["required"], json!(["a", "b"]));
///
/// let call = add.decode(json!({"a": 1, "b": 2})).unwrap();
/// let answer = futures::executor::block_on(call.run(Context::builder().build()));
/// assert_eq!(answer, Ok(json!({"total": 3.0})));
/// assert!(add.decode(json!({"a": "1", "b": 2})).is_err());
/// # Ok::<(), mycelium::operation::DefinitionError>(())
/// ```
///
/// Labels are fixed with the declaration; an installed operation has no way to change them:
///
/// ```compile_fail
/// use mycelium::{Catalog, operation::Access};
///
/// fn edit(catalog: &Catalog) {
///     catalog.get(0).unwrap().operation().clone().access(Access::Read);
/// }
/// ```
#[derive(Clone)]
pub struct Operation {
    description: String,
    notes: Vec<String>,
    instructions: Option<String>,
    input: Result<Schema, String>,
    output: Option<Result<Schema, String>>,
    labels: Labels,
    third_party: bool,
    decoder: Rc<Decoder>,
}

impl Operation {
    /// An operation that takes what `input` describes; `run` gets only valid input.
    pub fn new<R, F>(input: impl IntoSchema, run: R) -> Self
    where
        R: Fn(Value, Context) -> F + 'static,
        F: Future<Output = Result<Value, OperationError>> + 'static,
    {
        let run = Rc::new(run);
        let decoder = move |input| {
            let run = Rc::clone(&run);
            let started = move |context| {
                async move { run(input, context).await.map_err(Fault::from) }.boxed_local()
            };
            Ok(Box::new(started) as Run)
        };
        Self::declared(input.into_schema(), None, Rc::new(decoder))
    }

    /// An operation over Rust types. What it takes is described as `I` is read,
    /// what it gives as `O` is written; nothing is defaulted, coerced or stripped
    /// but by the types themselves.
    ///
    /// A decoder that refuses or panics at what the schema takes is a fault of
    /// the host's ([`Fault::Host`]), not of whoever called.
    pub fn typed<I, O, R, F>(run: R) -> Self
    where
        I: DeserializeOwned + JsonSchema + 'static,
        O: Serialize + JsonSchema + 'static,
        R: Fn(I, Context) -> F + 'static,
        F: Future<Output = Result<O, OperationError>> + 'static,
    {
        let run = Rc::new(run);
        let decoder = move |input| {
            let input: I = typed::decode(input)?;
            let run = Rc::clone(&run);
            let started = move |context| {
                async move {
                    let output = run(input, context).await.map_err(Fault::from)?;
                    typed::encode(&output)
                }
                .boxed_local()
            };
            Ok(Box::new(started) as Run)
        };
        let input = typed::input_document::<I>().into_schema();
        let output = typed::output_document::<O>().into_schema();
        Self::declared(input, Some(output), Rc::new(decoder))
    }

    fn declared(
        input: Result<Schema, String>,
        output: Option<Result<Schema, String>>,
        decoder: Rc<Decoder>,
    ) -> Self {
        Self {
            description: String::new(),
            notes: Vec::new(),
            instructions: None,
            input,
            output,
            labels: Labels::default(),
            third_party: false,
            decoder,
        }
    }

    /// Says what the operation does, for the model.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Declares the answer, which is then validated and never altered.
    #[must_use]
    pub fn output(mut self, output: impl IntoSchema) -> Self {
        self.output = Some(output.into_schema());
        self
    }

    /// Labels it as observing or changing; without this it is [`Access::Write`].
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.labels.access = access;
        self
    }

    /// Labels it as asking a person before each call.
    #[must_use]
    pub fn confirm(mut self, confirm: bool) -> Self {
        self.labels.confirm = confirm;
        self
    }

    /// Labels it as repeatable or not; without this it is [`Replay::Unsafe`].
    #[must_use]
    pub fn replay(mut self, replay: Replay) -> Self {
        self.labels.replay = replay;
        self
    }

    /// Sets all labels at once, as they were [read](Labels::parse).
    #[must_use]
    pub fn labels(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// Adds a note on what the capability behind it can and can't do.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says how it is used well, at more length than the description.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Marks its texts, those in its schemas too, as a third party's: they are shown as
    /// quoted data, and the execute tool's description repeats none of them.
    #[must_use]
    pub fn third_party(mut self) -> Self {
        self.third_party = true;
        self
    }

    /// Ends the declaration of what is, or would be, `key` in `module`.
    ///
    /// [`Module::operation`](super::Module::operation) does this; it is here for
    /// an operation that stands by itself.
    ///
    /// # Errors
    ///
    /// A [`DefinitionError`] when a schema is none.
    pub fn install(self, module: &str, key: &str) -> Result<Callable, DefinitionError> {
        let fault = |which: &str, rule: &str| {
            DefinitionError::new(module, key, &format!("the {which} schema is refused: {rule}"))
        };
        let input = self.input.map_err(|rule| fault("input", &rule))?;
        let output = self.output.transpose().map_err(|rule| fault("output", &rule))?;
        Ok(Callable {
            description: self.description,
            notes: self.notes,
            instructions: self.instructions,
            input,
            output,
            labels: self.labels,
            third_party: self.third_party,
            decoder: self.decoder,
        })
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Operation")
            .field("description", &self.description)
            .field("labels", &self.labels)
            .field("input", &self.input)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Operation;

    #[test]
    fn a_schema_is_declared_by_its_text_as_by_its_value() {
        let declared = |text: &str| {
            let answer = |_, _| async { Ok(json!(null)) };
            Operation::new(text, answer).output(text).install("m", "k")
        };
        let operation = declared(r#"{ "type": "object", "required": ["a"] }"#).unwrap();
        let document = json!({"required": ["a"], "type": "object"});
        assert_eq!(operation.input_schema().document(), &document);
        assert_eq!(operation.output_schema().map(|output| output.document()), Some(&document));
        for (text, problem) in [
            ("{", "EOF while parsing"),
            (r#"{"type": "objekt"}"#, "at /type"),
            (r#"{"not": {"a": 1, "a": 2}}"#, "at /not/a: the key \"a\" occurs twice"),
        ] {
            let error = declared(text).unwrap_err().to_string();
            assert!(error.contains("the input schema is refused"), "{error}");
            assert!(error.contains(problem), "{error}");
        }
    }
}
