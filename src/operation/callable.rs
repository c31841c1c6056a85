//! One operation that is installed: it can be looked at and called, not edited.

use std::{fmt, panic::AssertUnwindSafe, rc::Rc};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::Value;

use super::{Context, Fault, Labels};
use crate::{
    json,
    schema::{Schema, Subject},
};

/// From valid input to the author's work, ready to start.
pub(super) type Decoder = dyn Fn(Value) -> Result<Run, Fault>;

/// The author's work over decoded input.
pub(super) type Run = Box<dyn FnOnce(Context) -> LocalBoxFuture<'static, Result<Value, Fault>>>;

/// An installed operation.
///
/// It is called in two steps, for access has its say between them:
/// [`decode`](Self::decode), then the gates, then [`run`](Decoded::run).
#[derive(Clone)]
pub struct Callable {
    pub(super) description: String,
    pub(super) notes: Vec<String>,
    pub(super) instructions: Option<String>,
    pub(super) input: Schema,
    pub(super) output: Option<Schema>,
    pub(super) labels: Labels,
    pub(super) third_party: bool,
    pub(super) decoder: Rc<Decoder>,
}

impl Callable {
    /// What the operation does; may be empty.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What the capability behind it can and can't do.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How it is used well.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
    }

    /// What it takes.
    #[must_use]
    pub fn input_schema(&self) -> &Schema {
        &self.input
    }

    /// What it gives, if it says.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Schema> {
        self.output.as_ref()
    }

    /// What it does to the world.
    #[must_use]
    pub fn labels(&self) -> Labels {
        self.labels
    }

    /// Whether its texts come from neither the host nor the module's author: whoever shows
    /// them frames them as data.
    #[must_use]
    pub fn is_third_party(&self) -> bool {
        self.third_party
    }

    /// Checks and decodes `input`. Nothing of the operation's own work starts.
    ///
    /// # Errors
    ///
    /// [`Fault::Input`] when the schema doesn't take it, [`Fault::Host`] when the
    /// author's decoder breaks at what the schema took.
    pub fn decode(&self, input: Value) -> Result<Decoded, Fault> {
        self.input.validate(&input).map_err(|error| match error.subject() {
            Subject::Schema => Fault::host("the input schema", &error),
            Subject::Value => Fault::Input { problem: error.to_string() },
        })?;
        self.decode_valid(input)
    }

    /// [`decode`](Self::decode) for an input of at most `bytes` that is yet to be read.
    pub(crate) fn decode_text(&self, text: &str, bytes: usize) -> Result<Decoded, Fault> {
        // Whatever isn't certain at a glance is read and validated with all that there is to say.
        if text.len() <= bytes
            && self.input.certainly_takes(text)
            && let Ok(input) = json::parse_known(text)
        {
            return self.decode_valid(input);
        }
        let input = json::parse_input(text, bytes)
            .map_err(|error| Fault::Input { problem: error.to_string() })?;
        self.decode(input)
    }

    fn decode_valid(&self, input: Value) -> Result<Decoded, Fault> {
        let run = (self.decoder)(input)?;
        Ok(Decoded { run, output: self.output.clone() })
    }
}

impl fmt::Debug for Callable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Callable")
            .field("description", &self.description)
            .field("labels", &self.labels)
            .field("input", &self.input)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

/// A call whose input is decoded and whose work hasn't started.
#[must_use = "the operation runs when this is run"]
pub struct Decoded {
    run: Run,
    output: Option<Schema>,
}

impl Decoded {
    /// Does the work. The answer is what the operation declares, unaltered.
    ///
    /// # Errors
    ///
    /// [`Fault::Operation`] in the author's words, [`Fault::Output`] for an answer
    /// other than declared, [`Fault::Host`] for a panic or a broken encoder.
    pub async fn run(self, context: Context) -> Result<Value, Fault> {
        self.answer(context).await?.value()
    }

    /// Does the work, and leaves it to the asker in which form the answer is held to what is
    /// declared.
    pub(crate) async fn answer(self, context: Context) -> Result<Given, Fault> {
        let Self { run, output } = self;
        let work = async move { run(context).await };
        let value = AssertUnwindSafe(work)
            .catch_unwind()
            .await
            .unwrap_or_else(|payload| Err(Fault::panic("the operation", &*payload)))?;
        Ok(Given { value, output })
    }
}

/// What an operation gave, not yet held to what it declares.
pub(crate) struct Given {
    value: Value,
    output: Option<Schema>,
}

impl Given {
    /// As a value.
    pub(crate) fn value(self) -> Result<Value, Fault> {
        self.is_as_declared()?;
        Ok(self.value)
    }

    /// As a text of at most `bytes`. What is plainly right is seen by the text, which there has
    /// to be anyway.
    pub(crate) fn text(&self, bytes: usize) -> Result<String, Fault> {
        let text = json::encode_output(&self.value, bytes);
        let output = self.output.as_ref();
        let certain = |text: &String| output.is_none_or(|schema| schema.certainly_takes(text));
        if !text.as_ref().is_ok_and(certain) {
            self.is_as_declared()?;
        }
        text.map_err(|error| Fault::Output { problem: error.to_string() })
    }

    fn is_as_declared(&self) -> Result<(), Fault> {
        let Some(schema) = &self.output else { return Ok(()) };
        schema.validate(&self.value).map_err(|error| match error.subject() {
            Subject::Schema => Fault::host("the output schema", &error),
            Subject::Value => Fault::Output { problem: error.to_string() },
        })
    }
}

impl fmt::Debug for Decoded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Decoded").field("output", &self.output).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use futures::executor::block_on;
    use schemars::JsonSchema;
    use serde::{
        Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _,
    };
    use serde_json::{Value, json};

    use crate::{
        failure::Failure,
        operation::{Callable, Context, Fault, NoInput, Operation, OperationError},
    };

    fn installed(operation: Operation) -> Callable {
        operation.install("m", "o").unwrap()
    }

    fn call(operation: Operation, input: Value) -> Result<Value, Fault> {
        let decoded = installed(operation).decode(input)?;
        block_on(decoded.run(Context::builder().build()))
    }

    /// A number that is a string outside.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Amount(u64);

    impl<'de> Deserialize<'de> for Amount {
        fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
            let text = String::deserialize(reader)?;
            text.parse().map(Amount).map_err(D::Error::custom)
        }
    }

    impl Serialize for Amount {
        fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
            writer.collect_str(&self.0)
        }
    }

    impl JsonSchema for Amount {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Amount".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({"type": "string"})
        }
    }

    #[test]
    fn a_number_whose_wire_form_is_a_string_is_described_taken_and_given_as_one() {
        let next = || Operation::typed(|Amount(n): Amount, _| async move { Ok(Amount(n + 1)) });
        let callable = installed(next());
        assert_eq!(callable.input_schema().document(), &json!({"type": "string"}));
        assert_eq!(callable.output_schema().unwrap().document(), &json!({"type": "string"}));
        assert_eq!(call(next(), json!("1")), Ok(json!("2")));
        assert!(matches!(call(next(), json!(1)), Err(Fault::Input { .. })));
    }

    #[test]
    fn decoding_starts_nothing_of_the_operations_work() {
        let runs = Rc::new(Cell::new(0));
        let count = Rc::clone(&runs);
        let callable = installed(Operation::typed(move |_: NoInput, _| {
            count.set(count.get() + 1);
            async { Ok(()) }
        }));
        assert!(callable.decode(json!({"a": 1})).is_err());
        let decoded = callable.decode(json!({})).unwrap();
        assert_eq!(runs.get(), 0);
        assert_eq!(block_on(decoded.run(Context::builder().build())), Ok(json!(null)));
        assert_eq!(runs.get(), 1);
    }

    #[test]
    fn a_decoder_that_breaks_at_what_its_schema_takes_is_never_the_callers_fault() {
        #[derive(Debug)]
        struct Panics;
        impl<'de> Deserialize<'de> for Panics {
            fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
                panic!("canary")
            }
        }
        impl JsonSchema for Panics {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "Panics".into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!(true)
            }
        }
        let panics = Operation::typed(|_: Panics, _| async { Ok(()) });
        let refuses = Operation::typed(|_: Amount, _| async { Ok(()) });
        for (operation, input) in [(panics, json!(1)), (refuses, json!("one"))] {
            let fault = call(operation, input).unwrap_err();
            assert!(matches!(fault, Fault::Host { .. }), "{fault:?}");
            let (failure, evidence) = fault.failure("m.o");
            assert_eq!(failure.code(), "unknown");
            assert!(evidence.unwrap().starts_with("operation m.o: the decoder"));
        }
    }

    #[test]
    fn an_operation_is_handed_its_input_and_its_context() {
        let echo = Operation::new(json!({"type": "object"}), |input, context| async move {
            Ok(json!([input, context.operation_ordinal(), context.tool_call_id()]))
        });
        let decoded = installed(echo).decode(json!({"a": 1})).unwrap();
        let context = Context::builder().operation_ordinal(3).tool_call_id("t").build();
        assert_eq!(block_on(decoded.run(context)), Ok(json!([{"a": 1}, 3, "t"])));
    }

    #[test]
    fn an_answer_is_validated_and_never_altered() {
        let schema = json!({
            "type": "object",
            "properties": {"n": {"type": "integer", "default": 1}},
            "additionalProperties": {"type": "string"},
        });
        let give = |answer: Value| {
            let give = move |_, _| {
                let answer = answer.clone();
                async { Ok(answer) }
            };
            call(Operation::new(json!({}), give).output(schema.clone()), json!(null))
        };
        for answer in [json!({}), json!({"n": 5.0, "extra": ""}), json!({"n": 1})] {
            assert_eq!(give(answer.clone()).unwrap().to_string(), answer.to_string());
        }
        for answer in [json!(null), json!({"n": "1"}), json!({"extra": 1})] {
            assert!(matches!(give(answer.clone()), Err(Fault::Output { .. })), "{answer}");
        }
    }

    #[test]
    fn an_answer_is_the_same_as_a_text_and_as_a_value() {
        let schema = json!({"properties": {"n": {"type": "integer"}, "s": {"maxLength": 3}}});
        let give = |answer: &Value| {
            let answer = answer.clone();
            let give = move |_, _| std::future::ready(Ok(answer.clone()));
            let operation = Operation::new(json!({}), give).output(schema.clone());
            let decoded = installed(operation).decode(json!(null)).unwrap();
            block_on(decoded.answer(Context::builder().build())).unwrap()
        };
        for answer in [json!({"n": 1, "s": "x"}), json!({"n": 5.0}), json!({"s": "\u{1}é"})] {
            assert_eq!(give(&answer).text(100), Ok(answer.to_string()), "{answer}");
        }
        for answer in
            [json!({"n": "1"}), json!({"s": "long"}), json!({"n": 1.5, "x": "y".repeat(99)})]
        {
            assert_eq!(
                give(&answer).text(100),
                give(&answer).value().map(|_| String::new()),
                "{answer}"
            );
        }
        let large = json!({"n": 1, "s": "x", "more": "y".repeat(99)});
        assert!(matches!(give(&large).text(100), Err(Fault::Output { .. })));
        assert!(matches!(give(&json!({"n": u64::MAX})).text(100), Err(Fault::Output { .. })));
    }

    #[test]
    fn an_input_is_the_same_as_a_text_and_as_a_value() {
        let echo = || {
            let echo = |input: Value, _| std::future::ready(Ok(input));
            installed(Operation::new(json!({"properties": {"n": {"minimum": 0}}}), echo))
        };
        let run = |decoded: super::Decoded| block_on(decoded.run(Context::builder().build()));
        for text in [
            r#"{"n":1}"#,
            r#"{"n":1.0,"$serde_json::private::RawValue":"[1]"}"#,
            r#"{"$serde_json::private::RawValue":"[1]"}"#,
            r#"{"n":-1}"#,
            r#"{"n":1,"n":2}"#,
            r#"{"a":{"__proto__":1}}"#,
            r#"{"n":18446744073709551617}"#,
            r#"["\ud800"]"#,
            "{",
        ] {
            let read = crate::json::parse_input(text, 100);
            let read = read.map_err(|error| Fault::Input { problem: error.to_string() });
            let expected = read.and_then(|input| echo().decode(input)).and_then(run);
            assert_eq!(echo().decode_text(text, 100).and_then(run), expected, "{text}");
        }
        assert!(matches!(echo().decode_text(r#"{"n":1}"#, 6), Err(Fault::Input { .. })));
    }

    #[test]
    fn what_the_author_says_and_what_the_author_breaks_are_told_apart() {
        #[derive(JsonSchema)]
        struct Unwritable;
        impl Serialize for Unwritable {
            fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                Err(S::Error::custom("canary"))
            }
        }
        #[derive(JsonSchema)]
        struct Bomb;
        impl Serialize for Bomb {
            fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                panic!("canary")
            }
        }
        let says = OperationError::new("try tomorrow");
        let said = says.clone();
        let fails = Operation::new(json!({}), move |_, _| {
            let said = said.clone();
            async { Err(said) }
        });
        assert_eq!(call(fails, json!(null)), Err(Fault::Operation(says)));
        let declared = OperationError::declared(Failure::FilesUnavailable {});
        let declared = declared.with_evidence("canary");
        let (failure, evidence) = Fault::Operation(declared).failure("m.o");
        assert_eq!(failure, Failure::FilesUnavailable {}, "a declared failure keeps its code");
        assert_eq!(evidence.as_deref(), Some("operation m.o: canary"));
        let broken = [
            Operation::typed(|_: NoInput, _| async { Ok(Unwritable) }),
            Operation::typed(|_: NoInput, _| async { Ok(Bomb) }),
            Operation::new(json!({}), |_, _| async { panic!("canary") }),
            Operation::new(json!({}), |_, _| -> std::future::Ready<_> { panic!("canary") }),
        ];
        for operation in broken {
            let fault = call(operation, json!({})).unwrap_err();
            let Fault::Host { evidence } = &fault else { panic!("{fault:?}") };
            assert!(evidence.contains("canary"), "{evidence}");
            assert!(!fault.failure("m.o").0.to_string().contains("canary"));
        }
    }
}
