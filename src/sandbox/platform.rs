//! The platform's texts that mean something, and nothing else does.
//!
//! This list is closed, and looked at only for errors that the loader, the dispatch or
//! the connection raised on the host: a guest can't say any of them to us. Whatever is
//! not on it keeps its text as evidence and means that the isolate is gone, no more.

use super::{Limits, LoadError, Lost};
use crate::{
    failure::{Failure, MESSAGE_BYTES, Place, bounded},
    program::{Program, sent_place},
};

/// How the platform begins its refusal of a module that it can't start.
const NOT_STARTED: &str = "Failed to start Worker:\nUncaught ";

/// How the platform says that it runs as many isolates as it will.
const BUSY: [&str; 2] =
    ["Dynamic worker concurrency limit exceeded", "Too many concurrent dynamic workers"];

/// How the platform says that an isolate's CPU time is over.
const CPU: &str = "Worker exceeded CPU time limit";

/// How the platform says that an isolate's memory is full.
const MEMORY: &str = "Worker exceeded memory limit";

/// How the platform says that nothing will ever settle what the isolate awaits.
const HUNG: &str = "detected that your Worker's code had hung";

/// What an error of the loader or of the dispatch means, by its text.
#[must_use]
pub fn load_error(text: &str, program: &Program, limits: &Limits) -> LoadError {
    if let Some(rest) = text.strip_prefix(NOT_STARTED) {
        return not_started(rest, text, program);
    }
    if BUSY.iter().any(|said| text.contains(said)) {
        return LoadError::Busy(text.to_owned());
    }
    exhausted(text, limits).map_or_else(|| LoadError::Platform(text.to_owned()), LoadError::Refused)
}

/// What a lost connection means, and what the operator is told of it.
#[must_use]
pub fn lost(lost: &Lost, limits: &Limits) -> (Failure, String) {
    let broken = |rule: &str| Failure::BadResponse { rule: rule.to_owned() };
    match lost {
        Lost::Closed { code, reason } => {
            let reason = bounded(reason, REASON_BYTES);
            let evidence = format!("the isolate's end was closed: code {code}, reason {reason:?}");
            (Failure::TransportLost {}, evidence)
        }
        Lost::Failed(text) => {
            let failure = exhausted(text, limits).unwrap_or(Failure::TransportLost {});
            (failure, format!("the connection failed: {}", bounded(text, MESSAGE_BYTES)))
        }
        Lost::Binary { bytes } => {
            (broken("a frame is text"), format!("the isolate sent {bytes} bytes that are no text"))
        }
        Lost::Overlong { units } => {
            let evidence = format!("the isolate sent a frame of {units} units, which wasn't read");
            (broken("a frame is over the limit"), evidence)
        }
        Lost::Flooded => (
            broken("more is under way than may be"),
            format!("the isolate had more than {} bytes under way", limits.flight_bytes),
        ),
    }
}

/// Bytes kept of the reason that a connection was closed for.
const REASON_BYTES: usize = 256;

/// The limit of the platform that an isolate has run into, if the text says so.
fn exhausted(text: &str, limits: &Limits) -> Option<Failure> {
    if text.contains(CPU) {
        return Some(Failure::CpuExceeded { limit_ms: limits.of_isolate().cpu_ms });
    }
    if text.contains(MEMORY) {
        return Some(Failure::MemoryExceeded {});
    }
    text.contains(HUNG).then_some(Failure::TransportLost {})
}

/// `Name: message`, then lines `at module:line:column`, the column counted from 0.
///
/// Only what is wrong with the program is the program's: an error that names no place in
/// it is the host's own fault.
fn not_started(said: &str, text: &str, program: &Program) -> LoadError {
    let (head, trace) = said.split_once('\n').unwrap_or((said, ""));
    let (name, problem) = head.split_once(": ").unwrap_or((head, ""));
    match (name, place(trace, program)) {
        ("SyntaxError", place) => {
            let problem = bounded(problem, MESSAGE_BYTES);
            LoadError::Refused(Failure::SyntaxError { problem, place: place.unwrap_or_default() })
        }
        (_, Some(place)) => LoadError::Refused(Failure::GuestException {
            name: bounded(name, NAME_BYTES),
            problem: bounded(problem, MESSAGE_BYTES),
            place,
        }),
        (_, None) => LoadError::Platform(text.to_owned()),
    }
}

/// Bytes kept of an error's name.
const NAME_BYTES: usize = 128;

fn place(trace: &str, program: &Program) -> Option<Place> {
    let (_, place) = trace.split_once("program.js:")?;
    let (line, rest) = place.split_once(':')?;
    let column = leading_number(rest)?.saturating_add(1);
    Some(sent_place(program, line.parse().ok()?, column))
}

fn leading_number(text: &str) -> Option<u32> {
    text.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Limits, LoadError, Lost, load_error, lost};
    use crate::{
        failure::Failure,
        program::{Intake, NativeIntake},
    };

    fn read(text: &str) -> LoadError {
        let program = NativeIntake.read("let a = 1;\nreturn a").unwrap();
        load_error(text, &program, &Limits::with_timeout(70))
    }

    #[test]
    fn a_program_that_cannot_start_is_told_its_own_line() {
        let start = "Failed to start Worker:\nUncaught ";
        let cases = [
            ("SyntaxError: Invalid flags\n  at program.js:3:4", "syntax-error", Some(2)),
            ("SyntaxError: Invalid flags", "syntax-error", None),
            ("SyntaxError", "syntax-error", None),
            ("RangeError: boom\n  at main.js:1:1\n  at program.js:3:0", "guest-exception", Some(2)),
        ];
        for (said, code, line) in cases {
            let LoadError::Refused(failure) = read(&format!("{start}{said}")) else {
                panic!("{said} is the program's");
            };
            assert_eq!(failure.code(), code);
            let shown = line.map(|line| format!("(line {line}"));
            assert_eq!(failure.to_string().contains("(line "), shown.is_some(), "{failure}");
            assert!(shown.is_none_or(|shown| failure.to_string().contains(&shown)), "{failure}");
        }
        let ours = format!("{start}RangeError: boom\n  at harness.js:1:1");
        assert_eq!(read(&ours), LoadError::Platform(ours));
    }

    #[test]
    fn what_the_platform_has_not_taken_is_busy_and_what_it_ended_says_why() {
        for text in [
            "Error: Dynamic worker concurrency limit exceeded.",
            "Too many concurrent dynamic workers",
        ] {
            assert_eq!(read(text), LoadError::Busy(text.to_owned()));
        }
        let cpu = Failure::CpuExceeded { limit_ms: 70 };
        assert_eq!(read("Worker exceeded CPU time limit."), LoadError::Refused(cpu.clone()));
        assert_eq!(
            read("Worker exceeded memory limit."),
            LoadError::Refused(Failure::MemoryExceeded {})
        );
        assert_eq!(read("internal error"), LoadError::Platform("internal error".to_owned()));
        let limits = Limits::with_timeout(70);
        let failed = Lost::Failed("Error: Worker exceeded CPU time limit.".to_owned());
        assert_eq!(lost(&failed, &limits).0, cpu);
    }

    #[test]
    fn a_guest_that_says_the_platforms_words_is_only_gone() {
        let reason = "Worker exceeded memory limit.".to_owned();
        let said = Lost::Closed { code: 1_011, reason };
        let (failure, evidence) = lost(&said, &Limits::default());
        assert_eq!(failure, Failure::TransportLost {});
        assert!(evidence.contains("1011") && evidence.contains("memory limit"), "{evidence}");
    }

    #[test]
    fn no_loss_is_bare() {
        let losses = [
            Lost::Closed { code: 1_006, reason: String::new() },
            Lost::Failed(String::new()),
            Lost::Binary { bytes: 3 },
            Lost::Overlong { units: 4 },
            Lost::Flooded,
        ];
        for loss in losses {
            assert!(!lost(&loss, &Limits::default()).1.is_empty());
        }
    }
}
