//! The rules, as functions of facts alone.

use super::{Answer, Grant};
use crate::{failure::Reason, operation::Labels};

/// What a module has that nobody names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unnamed {
    /// Every operation: a host that grants nothing writes no grants.
    #[default]
    Full,
    /// Nothing: what an MCP catalog leaves out is refused.
    Refused,
}

/// The grant that stands: the session's word, else the host's, else none for a
/// key that is required, else what unnamed modules have.
///
/// ```
/// use mycelium::runtime::access::{Grant, Unnamed, standing_grant};
///
/// let granted = Some(Grant::Read);
/// assert_eq!(standing_grant(None, granted, true, Unnamed::Full), Grant::Read);
/// assert_eq!(standing_grant(None, None, true, Unnamed::Full), Grant::None);
/// ```
#[must_use]
pub fn standing_grant(
    session: Option<Grant>,
    granted: Option<Grant>,
    required: bool,
    unnamed: Unnamed,
) -> Grant {
    match (session.or(granted), required, unnamed) {
        (Some(grant), _, _) => grant,
        (None, true, _) | (None, false, Unnamed::Refused) => Grant::None,
        (None, false, Unnamed::Full) => Grant::Write,
    }
}

/// How far the person has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    /// There is no way to ask anybody.
    Unreachable,
    /// They can be asked and haven't been.
    Unasked,
    /// They were asked about this call and agreed.
    Agreed,
}

/// What the rules say to do with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Let it run.
    Admit,
    /// Ask the person.
    Ask,
    /// Refuse it.
    Refuse(Reason),
}

/// What is to be done with a call of these labels: the grant comes before the
/// person, and no person lifts a grant.
#[must_use]
pub fn rule(grant: Grant, labels: Labels, person: Person) -> Ruling {
    if let Err(reason) = grant.admits(labels.access) {
        return Ruling::Refuse(reason);
    }
    match (labels.confirm, person) {
        (false, _) | (true, Person::Agreed) => Ruling::Admit,
        (true, Person::Unasked) => Ruling::Ask,
        (true, Person::Unreachable) => Ruling::Refuse(Reason::ConfirmUnavailable),
    }
}

/// What a person's answer comes to.
///
/// # Errors
///
/// The [`Reason`] of every answer but agreement.
pub fn heed(answer: Answer) -> Result<(), Reason> {
    match answer {
        Answer::Accepted => Ok(()),
        Answer::Declined => Err(Reason::Declined),
        Answer::Cancelled => Err(Reason::Cancelled),
        Answer::TimedOut => Err(Reason::TimedOut),
        Answer::Unavailable => Err(Reason::ConfirmUnavailable),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Answer, Grant, Labels, Person, Reason, Ruling, Unnamed, heed, rule, standing_grant,
    };
    use crate::operation::{Access, Replay};

    const SAID: [(char, Option<Grant>); 4] = [
        ('-', None),
        ('n', Some(Grant::None)),
        ('r', Some(Grant::Read)),
        ('w', Some(Grant::Write)),
    ];

    /// A row for each word of the session, a column for each word of the host,
    /// both in the order unsaid, none, read, write.
    const CELLS: [(bool, Unnamed, [&str; 4]); 4] = [
        (false, Unnamed::Full, ["wnrw", "nnnn", "rrrr", "wwww"]),
        (true, Unnamed::Full, ["nnrw", "nnnn", "rrrr", "wwww"]),
        (false, Unnamed::Refused, ["nnrw", "nnnn", "rrrr", "wwww"]),
        (true, Unnamed::Refused, ["nnrw", "nnnn", "rrrr", "wwww"]),
    ];

    #[test]
    fn the_session_stands_over_the_host_over_required_over_unnamed() {
        let mut cells = 0;
        for (required, unnamed, rows) in CELLS {
            for (row, (said, session)) in rows.iter().zip(SAID) {
                for (column, (also, granted)) in row.chars().zip(SAID) {
                    let grant = standing_grant(session, granted, required, unnamed);
                    let expected = SAID.iter().find(|(name, _)| *name == column).unwrap().1;
                    assert_eq!(Some(grant), expected, "{said}{also} {required} {unnamed:?}");
                    cells += 1;
                }
            }
        }
        assert_eq!(cells, 64);
    }

    #[test]
    fn the_grant_comes_before_the_person() {
        use Ruling::{Admit, Ask, Refuse};
        let (none, read_only) = (Refuse(Reason::NotGranted), Refuse(Reason::ReadOnly));
        let nobody = Refuse(Reason::ConfirmUnavailable);
        // Unreachable, unasked, agreed.
        let cells = [
            (Grant::None, Access::Read, false, [none; 3]),
            (Grant::None, Access::Read, true, [none; 3]),
            (Grant::None, Access::Write, false, [none; 3]),
            (Grant::None, Access::Write, true, [none; 3]),
            (Grant::Read, Access::Read, false, [Admit; 3]),
            (Grant::Read, Access::Read, true, [nobody, Ask, Admit]),
            (Grant::Read, Access::Write, false, [read_only; 3]),
            (Grant::Read, Access::Write, true, [read_only; 3]),
            (Grant::Write, Access::Read, false, [Admit; 3]),
            (Grant::Write, Access::Read, true, [nobody, Ask, Admit]),
            (Grant::Write, Access::Write, false, [Admit; 3]),
            (Grant::Write, Access::Write, true, [nobody, Ask, Admit]),
        ];
        let people = [Person::Unreachable, Person::Unasked, Person::Agreed];
        for (grant, access, confirm, expected) in cells {
            for replay in [Replay::Safe, Replay::Unsafe] {
                let labels = Labels { access, confirm, replay };
                assert_eq!(
                    people.map(|person| rule(grant, labels, person)),
                    expected,
                    "{labels:?}"
                );
            }
        }
    }

    #[test]
    fn only_agreement_is_agreement() {
        let answers = [
            (Answer::Accepted, Ok(())),
            (Answer::Declined, Err(Reason::Declined)),
            (Answer::Cancelled, Err(Reason::Cancelled)),
            (Answer::TimedOut, Err(Reason::TimedOut)),
            (Answer::Unavailable, Err(Reason::ConfirmUnavailable)),
        ];
        for (answer, expected) in answers {
            assert_eq!(heed(answer), expected);
        }
    }
}
