//! A writer that is no model.

use futures::{FutureExt, future::LocalBoxFuture};

use super::{Asked, Writer, WriterError, prompt::About};

/// The one program that it writes.
const PROGRAM: &str = "console.log(\"written by the offline writer, which always writes this\");\n\
     return { writer: \"offline\", input };";

/// Writes the same program for every intent: for demonstrations and tests without a model.
///
/// It understands nothing. The program gives back its input, and says who wrote it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineWriter;

impl Writer for OfflineWriter {
    fn answer(&self, asked: Asked) -> LocalBoxFuture<'static, Result<String, WriterError>> {
        let answer = match asked.about {
            About::Program => PROGRAM,
            About::Suggestion { succeeded: true } => "keep",
            About::Suggestion { succeeded: false } => "erase",
        };
        async move { Ok(answer.to_owned()) }.boxed_local()
    }
}
