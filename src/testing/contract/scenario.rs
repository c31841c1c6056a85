//! What a sandbox on trial is made to run.

/// A program, named for what it does with the operations of `test`.
///
/// `test.first` and `test.second` give back their input, `test.fails` fails, `test.pauses`
/// takes some milliseconds, `test.waits` ends only when it is abandoned, `test.stop` cancels
/// the execution, and there is no `test.missing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scenario {
    /// Answers `{"a":[1,"é"],"b":null}`.
    Answers,
    /// Calls `test.first` with 1, then `test.second` with `{"n":2}`, and answers both answers.
    CallsInTurn,
    /// Calls `test.second` with 2 and, before that has ended, `test.first` with 1; answers both.
    CallsSideBySide,
    /// Throws an error that says `thrown`.
    Throws,
    /// Calls `test.fails` and lets the failure through.
    LetsFailureThrough,
    /// Calls `test.missing` and lets the failure through.
    CallsMissing,
    /// Calls `test.first` four times, one after another, and answers 1.
    CallsFourTimes,
    /// Neither calls nor ends.
    NeverEnds,
    /// Awaits `test.waits`.
    AwaitsCall,
    /// Calls `test.pauses` without awaiting it, and answers 1.
    LeavesCall,
    /// Calls `test.waits` without awaiting it, then `test.first`, and throws.
    ThrowsBesideCall,
    /// Awaits `test.stop`, and answers 1.
    StopsItself,
    /// Answers 1 and calls `test.first` after that.
    CallsLate,
    /// Awaits `test.pauses` again and again.
    CallsForEver,
    /// Counts in a global, and answers the count.
    Counts,
}

impl Scenario {
    /// The program, for a sandbox that runs programs.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Answers => "return { a: [1, 'é'], b: null };",
            Self::CallsInTurn => "return [await test.first(1), await test.second({ n: 2 })];",
            Self::CallsSideBySide => "return Promise.all([test.second(2), test.first(1)]);",
            Self::Throws => "throw new Error('thrown');",
            Self::LetsFailureThrough => "return await test.fails({});",
            Self::CallsMissing => "return await test.missing({});",
            Self::CallsFourTimes => {
                "for (let n = 0; n < 4; n += 1) await test.first(n);\nreturn 1;"
            }
            Self::NeverEnds => "await new Promise(() => {});\nreturn 1;",
            Self::AwaitsCall => "return await test.waits({});",
            Self::LeavesCall => "test.pauses({});\nreturn 1;",
            Self::ThrowsBesideCall => {
                "test.waits({});\nawait test.first(1);\nthrow new Error('thrown');"
            }
            Self::StopsItself => "await test.stop({});\nreturn 1;",
            Self::CallsLate => "setTimeout(() => test.first('late'), 0);\nreturn 1;",
            Self::CallsForEver => "for (;;) await test.pauses({});",
            Self::Counts => {
                "globalThis.count = (globalThis.count ?? 0) + 1;\nreturn globalThis.count;"
            }
        }
    }
}
