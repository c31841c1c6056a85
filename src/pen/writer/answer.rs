//! A writer's answer as a program.

use crate::{
    failure::{Failure, MESSAGE_BYTES, bounded},
    limits::PEN_CODE_BYTES,
    pen::Lang,
    program::{Intake, Program},
};

/// Names that a fenced block has when it isn't JavaScript.
const FOREIGN: &[&str] = &[
    "python",
    "py",
    "python3",
    "bash",
    "sh",
    "shell",
    "zsh",
    "powershell",
    "ruby",
    "rb",
    "go",
    "rust",
    "rs",
    "java",
    "c",
    "cpp",
    "csharp",
    "php",
    "perl",
    "lua",
    "sql",
];

/// The program that `answer` is, in `lang`.
///
/// # Errors
///
/// `MPP-E003` with the cause.
pub(in crate::pen) fn read_program(
    answer: &str,
    lang: Lang,
    intake: &dyn Intake,
) -> Result<Program, Failure> {
    let unusable = |problem: String| Failure::PenWriter { problem };
    if let Some(found) = foreign_fence(answer) {
        let problem = format!(
            "the writer wrote {found}, and {} was asked for; say the intent in other words",
            lang.name()
        );
        return Err(unusable(problem));
    }
    let program = intake.read(answer).map_err(|failure| {
        let problem = format!(
            "the writer's answer is no program ({}: {}); say the intent in other words",
            failure.code(),
            bounded(&failure.to_string(), MESSAGE_BYTES / 4)
        );
        unusable(problem)
    })?;
    if program.module.len() > PEN_CODE_BYTES {
        let problem = format!("the program has more than {PEN_CODE_BYTES} bytes; ask for less");
        return Err(unusable(problem));
    }
    Ok(program)
}

/// The language of the first fenced block, when it is another one.
fn foreign_fence(answer: &str) -> Option<&'static str> {
    let (_, rest) = answer.split_once("```")?;
    let name = rest.lines().next().unwrap_or_default().trim().to_ascii_lowercase();
    FOREIGN.iter().copied().find(|foreign| *foreign == name)
}

#[cfg(test)]
mod tests {
    use super::{Lang, read_program};
    use crate::program::NativeIntake;

    #[test]
    fn code_in_another_language_is_no_program() {
        for answer in [
            "```python\nx = 1\n```",
            "```sh\nls\n```",
            "def f(x):\n    return x\n",
            "I'm sorry, but I can't help with that.",
            "import fs from 'fs'; return 1",
            "```js\nreturn 1 +\n```",
        ] {
            let failure = read_program(answer, Lang::Node, &NativeIntake).unwrap_err();
            assert_eq!(failure.code(), "MPP-E003", "{answer}");
        }
    }

    #[test]
    fn every_form_that_a_model_answers_in_is_read() {
        for answer in [
            "return 1",
            "```js\nreturn 1\n```",
            "```typescript\nconst n: number = 1;\nreturn n\n```",
            "Here it is:\n\n```javascript\nreturn 1\n```\nIt returns one.",
            "async () => { return 1 }",
        ] {
            assert!(read_program(answer, Lang::Node, &NativeIntake).is_ok(), "{answer}");
        }
    }
}
