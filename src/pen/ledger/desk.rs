//! A persona's book over an object's rows.
//!
//! Every order is carried out without an await, so of two that come at once one comes first.
//! The row with a pen's state is written last: whatever fails before leaves the pen where it
//! was, and the same order can be given again.

use std::rc::Rc;

use super::{
    AuditEntry, AuditPage, Ended, LedgerError, Order, Pen, Record, Reply, Summary,
    rows::{CODE, MANIFEST, RESULT, Rows, STDERR, STDOUT, audit_row, held_row, pen_row},
};
use crate::{
    pen::{
        Action, Illegal, Manifest, ManifestInput, PenId, Persona, State, Step, Verdict, date,
        hash::sha256,
    },
    port::{Clock, Storage},
};

/// Entries whose numbers a pen's own record keeps; the persona's audit has all.
const TRAIL: usize = 128;

/// Keeps the book of one persona.
pub struct Desk {
    rows: Rows,
    clock: Rc<dyn Clock>,
}

/// What else an entry of the audit says.
#[derive(Default)]
struct Noted {
    code: Option<String>,
    note: Option<String>,
}

impl From<Illegal> for LedgerError {
    fn from(illegal: Illegal) -> Self {
        Self::Illegal { problem: illegal.to_string() }
    }
}

impl Desk {
    /// The book in these rows.
    #[must_use]
    pub fn new(rows: Rc<dyn Storage>, clock: Rc<dyn Clock>) -> Self {
        Self { rows: Rows::new(rows), clock }
    }

    /// Carries out an order of the persona whose book this is.
    ///
    /// # Errors
    ///
    /// Why it isn't carried out; then the pen is where it was.
    pub fn answer(&self, persona: &Persona, order: Order) -> Result<Reply, LedgerError> {
        let name = order.name();
        match order {
            Order::Audit { pen_id, after, limit } => {
                self.page(pen_id.as_ref(), after, limit).map(Reply::Page)
            }
            Order::Open { intent_hash, syslog_id, lang, hint } => {
                let pen_id = self.next_id(persona)?;
                let record = Record {
                    pen_id,
                    syslog_id,
                    intent_hash,
                    code_hash: None,
                    lang,
                    hint,
                    state: State::Draft,
                    summary: None,
                    suggestion: None,
                    attempts: Vec::new(),
                    reason: None,
                    trail: Vec::new(),
                };
                self.keep(record, "drafted", Noted::default()).map(told)
            }
            Order::Refuse { pen_id, code, note } => {
                let record = self.look(&pen_id)?;
                let noted = Noted { code: Some(code), note: Some(note) };
                self.keep(record, "failed", noted).map(told)
            }
            Order::Start { pen_id, code, until_ms } => self.start(&pen_id, &code, until_ms),
            Order::Forbid { pen_id, attempt } => self.forbid(&pen_id, attempt),
            Order::End { pen_id, ended } => self.end(&pen_id, ended),
            Order::Suggest { pen_id, suggestion, fallback } => {
                let mut record = self.look(&pen_id)?;
                record.suggestion = Some(suggestion);
                let how =
                    if fallback { ", for no answer of the writer's could be used" } else { "" };
                let note = Some(format!("{}{how}", suggestion.name()));
                self.keep(record, "suggested", Noted { code: None, note })?;
                self.whole(&pen_id)
            }
            Order::Decide { pen_id, action, manifest } => self.decide(&pen_id, action, manifest),
            Order::Settle { pen_id, action } => self.settle(&pen_id, action),
            Order::Review { pen_id, verdict, reason, reviewer } => {
                self.review(&pen_id, verdict, reason, &reviewer)
            }
            Order::Conclude { pen_id, verdict } => {
                let record = self.stepped(&pen_id, Step::Conclude(verdict), name)?;
                let code = (record.state == State::Rejected).then(|| "MPP-E006".to_owned());
                let noted = Noted { code, note: record.reason.clone() };
                let event = record.state.name();
                self.keep(record, event, noted).map(told)
            }
            Order::Look { pen_id } => self.look(&pen_id).map(told),
        }
    }

    fn start(&self, pen_id: &PenId, code: &str, until_ms: u64) -> Result<Reply, LedgerError> {
        let mut record = self.stepped(pen_id, Step::Start { until_ms }, "start")?;
        record.code_hash = Some(sha256(code.as_bytes()));
        self.rows.hold(pen_id, CODE, code)?;
        self.keep(record, "executing", Noted::default()).map(told)
    }

    fn end(&self, pen_id: &PenId, ended: Ended) -> Result<Reply, LedgerError> {
        let mut record = self.stepped(pen_id, Step::End, "end")?;
        let Ended { status, stdout, stderr, result, duration_ms, error, attempts } = ended;
        for (held, text) in [(STDOUT, stdout), (STDERR, stderr), (RESULT, result)] {
            self.rows.hold(pen_id, held, &text)?;
        }
        record.summary = Some(Summary { status, duration_ms, error });
        // Until the writer has been asked: nothing stays that nobody wanted.
        record.suggestion = Some(Action::Erase);
        record.forbid(attempts);
        let summary = record.summary.as_ref();
        let code = summary.and_then(|summary| summary.error.clone()).map(|error| error.code);
        let note = summary.map(|summary| summary.status.name().to_owned());
        self.keep(record, "completed", Noted { code, note })?;
        self.whole(pen_id)
    }

    fn forbid(&self, pen_id: &PenId, attempt: String) -> Result<Reply, LedgerError> {
        let mut record = self.look(pen_id)?;
        let before = record.attempts.len();
        record.forbid(vec![attempt]);
        if record.attempts.len() == before {
            return Ok(told(record));
        }
        let code = Some("MPP-E005".to_owned());
        self.keep(record, "forbidden", Noted { code, note: None }).map(told)
    }

    fn decide(
        &self,
        pen_id: &PenId,
        action: Action,
        manifest: Option<ManifestInput>,
    ) -> Result<Reply, LedgerError> {
        let before = self.look(pen_id)?.state;
        let record = self.stepped(pen_id, Step::Decide(action), "decide")?;
        if record.state == before {
            // It goes on with what was decided, by the manifest that was noted then.
            return self.whole(pen_id);
        }
        if let Some(said) = manifest {
            let shared_at = date::iso8601(self.clock.now_ms());
            self.rows.put(&held_row(pen_id, MANIFEST), &Manifest { said, shared_at })?;
        }
        let note = Some(action.name().to_owned());
        self.keep(record, "decided", Noted { code: None, note })?;
        self.whole(pen_id)
    }

    fn settle(&self, pen_id: &PenId, action: Action) -> Result<Reply, LedgerError> {
        let before = self.look(pen_id)?;
        if before.state == action.done() {
            // The state has moved, and what was left over is taken away now.
            self.rows.let_go(pen_id)?;
            return Ok(told(before));
        }
        let record = self.stepped(pen_id, Step::Settle(action), "settle")?;
        let event = record.state.name();
        if action == Action::Erase {
            // Erased is what is gone: until it is, the pen is not.
            self.rows.let_go(pen_id)?;
            return self.keep(record, event, Noted::default()).map(told);
        }
        // What is kept or shared lies in its objects, and is needed until that is noted.
        let record = self.keep(record, event, Noted::default())?;
        self.rows.let_go(pen_id)?;
        Ok(told(record))
    }

    fn review(
        &self,
        pen_id: &PenId,
        verdict: Verdict,
        reason: Option<String>,
        reviewer: &str,
    ) -> Result<Reply, LedgerError> {
        let before = self.look(pen_id)?.state;
        let mut record = self.stepped(pen_id, Step::Review(verdict), "review")?;
        if record.state == before {
            // It goes on with the verdict and the reason that were noted then.
            return Ok(told(record));
        }
        record.reason = reason;
        let note = Some(format!("{} by {reviewer}", verdict.name()));
        self.keep(record, "reviewed", Noted { code: None, note }).map(told)
    }

    /// The next id of the day: a number is given once, whatever becomes of its pen.
    fn next_id(&self, persona: &Persona) -> Result<PenId, LedgerError> {
        let day = date::day(self.clock.now_ms());
        let key = format!("day/{day}");
        let number = self.rows.get::<u64>(&key)?.unwrap_or(0).saturating_add(1);
        self.rows.put(&key, &number)?;
        Ok(PenId::new(persona.clone(), day, number))
    }

    /// The pen, after a look at whether its time is over.
    fn look(&self, pen_id: &PenId) -> Result<Record, LedgerError> {
        let mut record: Record = self.rows.get(&pen_row(pen_id))?.ok_or(LedgerError::Missing)?;
        let now_ms = self.clock.now_ms();
        let state = record.state.after(Step::Look { now_ms })?;
        if state == record.state {
            return Ok(record);
        }
        record.state = state;
        record.lose();
        let code = Some("execution-lost".to_owned());
        self.keep(record, "lost", Noted { code, note: None })
    }

    /// The pen as it would be after `step`, not written yet. A step that it can't take is noted.
    fn stepped(&self, pen_id: &PenId, step: Step, name: &str) -> Result<Record, LedgerError> {
        let mut record = self.look(pen_id)?;
        match record.state.after(step) {
            Ok(state) => {
                record.state = state;
                Ok(record)
            }
            Err(illegal) => {
                let note =
                    Some(format!("{name} isn't taken of a pen that is {}", illegal.state.name()));
                self.keep(record, "refused", Noted { code: None, note })?;
                Err(illegal.into())
            }
        }
    }

    /// Adds to the audit and writes the pen's record.
    fn keep(&self, mut record: Record, event: &str, noted: Noted) -> Result<Record, LedgerError> {
        let entry = self.rows.get::<u64>("audited")?.unwrap_or(0).saturating_add(1);
        let Noted { code, note } = noted;
        let written = AuditEntry {
            entry,
            at: date::iso8601(self.clock.now_ms()),
            syslog_id: record.syslog_id.clone(),
            pen_id: record.pen_id.to_string(),
            event: event.to_owned(),
            state: record.state.name().to_owned(),
            intent_hash: record.intent_hash.clone(),
            code_hash: record.code_hash.clone(),
            code,
            note,
        };
        self.rows.put(&audit_row(entry), &written)?;
        self.rows.put("audited", &entry)?;
        if record.trail.len() < TRAIL {
            record.trail.push(entry);
        }
        self.rows.put(&pen_row(&record.pen_id), &record)?;
        Ok(record)
    }

    /// The pen with all that it holds.
    fn whole(&self, pen_id: &PenId) -> Result<Reply, LedgerError> {
        let record: Record = self.rows.get(&pen_row(pen_id))?.ok_or(LedgerError::Missing)?;
        let contents = self.rows.contents(pen_id)?;
        Ok(Reply::Pen(Box::new(Pen { record, contents: Some(contents) })))
    }

    fn page(
        &self,
        pen_id: Option<&PenId>,
        after: u64,
        limit: usize,
    ) -> Result<AuditPage, LedgerError> {
        let last = self.rows.get::<u64>("audited")?.unwrap_or(0);
        let mut numbers: Vec<u64> = match pen_id {
            Some(pen_id) => {
                let trail = self.look(pen_id)?.trail;
                trail.into_iter().filter(|number| *number > after).collect()
            }
            None => (after.saturating_add(1)..=last).take(limit.saturating_add(1)).collect(),
        };
        let more = numbers.len() > limit;
        numbers.truncate(limit);
        let next = numbers.last().copied().filter(|_| more);
        let entry = |number| self.rows.get(&audit_row(number));
        let entries: Result<Vec<Option<AuditEntry>>, _> = numbers.into_iter().map(entry).collect();
        Ok(AuditPage { entries: entries?.into_iter().flatten().collect(), next })
    }
}

fn told(record: Record) -> Reply {
    Reply::Pen(Box::new(Pen { record, contents: None }))
}
