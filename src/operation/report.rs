//! Saying how far an operation has come, while it runs.
//!
//! Owns what is said and the one way to say it. Doesn't own who hears it: that is the
//! caller's business, and often nobody does.

use std::{fmt, rc::Rc};

use crate::{failure::bounded, limits::REPORT_BYTES};

/// How far an operation has come, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    message: String,
    done: Option<u64>,
    total: Option<u64>,
}

impl Report {
    /// A report in words; what is over [`REPORT_BYTES`] is cut.
    #[must_use]
    pub fn new(message: &str) -> Self {
        Self { message: bounded(message, REPORT_BYTES), done: None, total: None }
    }

    /// With how much is done, and of how much where that is known.
    #[must_use]
    pub fn counted(mut self, done: u64, total: Option<u64>) -> Self {
        (self.done, self.total) = (Some(done), total);
        self
    }

    /// The words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// How much is done, in the operation's own unit.
    #[must_use]
    pub fn done(&self) -> Option<u64> {
        self.done
    }

    /// Of how much.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.total
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match (self.done, self.total) {
            (Some(done), Some(total)) => write!(formatter, " ({done} of {total})"),
            (Some(done), None) => write!(formatter, " ({done})"),
            (None, _) => Ok(()),
        }
    }
}

/// Who hears a line for the program's own log.
type Log = Rc<dyn Fn(&str)>;

/// Where an operation reports to. It says and hears nothing back, and may say anything
/// at any time: once its call is over nobody listens.
///
/// ```
/// use mycelium::operation::{Context, Report};
///
/// let context = Context::builder().build();
/// context.reporter().report(Report::new("copying").counted(3, Some(10)));
/// ```
#[derive(Clone, Default)]
pub struct Reporter {
    hear: Option<Rc<dyn Fn(Report)>>,
    log: Option<Log>,
}

impl Reporter {
    /// A reporter that `hear` listens to.
    #[must_use]
    pub fn new(hear: impl Fn(Report) + 'static) -> Self {
        Self { hear: Some(Rc::new(hear)), log: None }
    }

    /// The same, with `log` for what belongs among the lines that the program prints.
    #[must_use]
    pub fn logging(mut self, log: impl Fn(&str) + 'static) -> Self {
        self.log = Some(Rc::new(log));
        self
    }

    /// A reporter that nobody listens to.
    #[must_use]
    pub fn unheard() -> Self {
        Self::default()
    }

    /// Reports.
    pub fn report(&self, report: Report) {
        if let Some(hear) = &self.hear {
            hear(report);
        }
    }

    /// Says something about the answer that the answer itself can't hold. It stands among
    /// what the program prints; what is over [`REPORT_BYTES`] is cut.
    pub fn log(&self, line: &str) {
        if let Some(log) = &self.log {
            log(&bounded(line, REPORT_BYTES));
        }
    }
}

impl fmt::Debug for Reporter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Reporter").field("heard", &self.hear.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use super::{REPORT_BYTES, Report, Reporter};

    #[test]
    fn a_report_reads_as_words_and_counts() {
        let report = Report::new("copying");
        assert_eq!(report.to_string(), "copying");
        assert_eq!(report.clone().counted(3, None).to_string(), "copying (3)");
        assert_eq!(report.counted(3, Some(10)).to_string(), "copying (3 of 10)");
    }

    #[test]
    fn a_reports_words_are_bounded() {
        for words in ["é".repeat(10_000), "x".repeat(REPORT_BYTES + 1)] {
            assert!(Report::new(&words).message().len() <= REPORT_BYTES);
        }
        let fits = "x".repeat(REPORT_BYTES);
        assert_eq!(Report::new(&fits).message(), fits);
    }

    #[test]
    fn a_report_that_nobody_hears_goes_nowhere() {
        let heard: Rc<RefCell<Vec<Report>>> = Rc::default();
        let ear = Rc::clone(&heard);
        let reporter = Reporter::new(move |report| ear.borrow_mut().push(report));
        reporter.clone().report(Report::new("a"));
        Reporter::unheard().report(Report::new("b"));
        assert_eq!(heard.take(), [Report::new("a")]);
    }
}
