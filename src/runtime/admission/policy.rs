//! What a host decides about admission, checked and resolved once.

use std::{fmt, ops::RangeInclusive};

use serde_json::Value;

use super::Deadline;
use crate::{
    failure::bounded,
    limits::{LONGEST_TIMEOUT_MS, TIMEOUT_MS},
};

const CAPACITY: &str = "sandbox_capacity";
const WAIT: &str = "admission_wait_ms";

/// Capacities derived from cores stay in these bounds; the first is also that of a
/// host that can't count its cores (spec 000).
const DERIVED: (u64, u64) = (2, 32);
/// Bytes kept of a wrong value.
const FOUND_BYTES: usize = 100;

/// What a host may say about admission; a guest may not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdmissionOptions {
    /// How many programs run at once, from 1 to 2^53 − 1; it is never clamped.
    pub sandbox_capacity: Option<u64>,
    /// How long an invocation waits for its turn, from 1 to 900 000 milliseconds;
    /// omitted, it waits as long as its own time allows.
    pub admission_wait_ms: Option<u64>,
}

impl AdmissionOptions {
    /// The capacities there are: the last is the last integer that every JSON number can
    /// say exactly, 2^53 − 1.
    pub const CAPACITIES: RangeInclusive<u64> = 1..=9_007_199_254_740_991;

    /// The waits there are, in milliseconds.
    pub const WAITS_MS: RangeInclusive<u64> = 1..=LONGEST_TIMEOUT_MS;

    /// Reads the options from a document, strictly.
    ///
    /// # Errors
    ///
    /// A [`PolicyError`] for a key that isn't an option, and for a value that isn't
    /// a whole number in its bounds: a fraction, a string and `null` are none.
    ///
    /// ```
    /// use mycelium::runtime::admission::AdmissionOptions;
    /// use serde_json::json;
    ///
    /// let options = AdmissionOptions::parse(&json!({"sandbox_capacity": 64})).unwrap();
    /// assert_eq!(options.sandbox_capacity, Some(64));
    ///
    /// let error = AdmissionOptions::parse(&json!({"admission_wait_ms": 0.5})).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "admission_wait_ms is 0.5: a whole number from 1 to 900000 is accepted",
    /// );
    /// ```
    pub fn parse(document: &Value) -> Result<Self, PolicyError> {
        let Value::Object(entries) = document else {
            return Err(PolicyError::new("execution", document, ACCEPTED.to_owned()));
        };
        let mut options = Self::default();
        for (key, value) in entries {
            match key.as_str() {
                CAPACITY => {
                    options.sandbox_capacity = Some(read(CAPACITY, value, Self::CAPACITIES)?)
                }
                WAIT => options.admission_wait_ms = Some(read(WAIT, value, Self::WAITS_MS)?),
                other => return Err(PolicyError::new(other, value, ACCEPTED.to_owned())),
            }
        }
        Ok(options)
    }
}

/// What a document of options may be.
const ACCEPTED: &str = "an object of sandbox_capacity and admission_wait_ms, no other key,";

/// An option that can't be used: its key, what was found, what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    key: String,
    found: String,
    accepted: String,
}

impl PolicyError {
    fn new(key: &str, found: &Value, accepted: String) -> Self {
        let found = match found {
            Value::Object(_) => "an object".to_owned(),
            Value::Array(_) => "an array".to_owned(),
            value => bounded(&value.to_string(), FOUND_BYTES),
        };
        Self { key: bounded(key, FOUND_BYTES), found, accepted }
    }

    /// The key of the option.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is {}: {} is accepted", self.key, self.found, self.accepted)
    }
}

impl std::error::Error for PolicyError {}

/// The admission of one runtime; what it is made from can't change it later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdmissionPolicy {
    capacity: u64,
    wait_ms: Option<u64>,
}

impl AdmissionPolicy {
    /// The policy of a runtime that opens now. `cores` is asked once, and not at all
    /// when the capacity is given.
    ///
    /// # Errors
    ///
    /// A [`PolicyError`] that names the option.
    pub fn open(
        options: &AdmissionOptions,
        cores: impl FnOnce() -> Option<usize>,
    ) -> Result<Self, PolicyError> {
        let available = if options.sandbox_capacity.is_none() { cores() } else { None };
        normalize_sandbox_admission_policy(options, available)
    }

    /// How many programs run at once.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// How long an invocation without a time of its own waits, in milliseconds.
    #[must_use]
    pub fn admission_wait_ms(&self) -> u64 {
        self.wait_ms.unwrap_or(TIMEOUT_MS)
    }

    /// When an invocation that starts to wait now has waited long enough: with no
    /// wait given, never before its own deadline.
    pub(super) fn wait_ends_ms(&self, now_ms: u64, deadline: Deadline) -> u64 {
        let wait_ms = self.wait_ms.unwrap_or(deadline.timeout_ms());
        now_ms.saturating_add(wait_ms)
    }
}

/// Checks and resolves what a host says about admission.
///
/// Without a capacity the available cores are taken, at least 2 and at most 32, and
/// 2 where cores can't be counted. It reserves nothing and starts nothing.
///
/// # Errors
///
/// A [`PolicyError`] that names the option.
///
/// ```
/// use mycelium::runtime::admission::{AdmissionOptions, normalize_sandbox_admission_policy};
///
/// let policy = normalize_sandbox_admission_policy(&AdmissionOptions::default(), None).unwrap();
/// assert_eq!((policy.capacity(), policy.admission_wait_ms()), (2, 180_000));
/// ```
pub fn normalize_sandbox_admission_policy(
    options: &AdmissionOptions,
    available_cores: Option<usize>,
) -> Result<AdmissionPolicy, PolicyError> {
    let capacity = match options.sandbox_capacity {
        Some(capacity) => within(CAPACITY, capacity, AdmissionOptions::CAPACITIES)?,
        None => derived(available_cores),
    };
    let wait = |wait| within(WAIT, wait, AdmissionOptions::WAITS_MS);
    let wait_ms = options.admission_wait_ms.map(wait).transpose()?;
    Ok(AdmissionPolicy { capacity, wait_ms })
}

fn derived(available_cores: Option<usize>) -> u64 {
    let (least, most) = DERIVED;
    available_cores.map_or(least, |cores| u64::try_from(cores).unwrap_or(most).clamp(least, most))
}

fn read(key: &str, value: &Value, range: RangeInclusive<u64>) -> Result<u64, PolicyError> {
    let whole = value.as_u64().or_else(|| value.as_f64().and_then(whole));
    whole.filter(|number| range.contains(number)).ok_or_else(|| outside(key, value, &range))
}

fn within(key: &str, number: u64, range: RangeInclusive<u64>) -> Result<u64, PolicyError> {
    if range.contains(&number) { Ok(number) } else { Err(outside(key, &number.into(), &range)) }
}

fn outside(key: &str, found: &Value, range: &RangeInclusive<u64>) -> PolicyError {
    let accepted = format!("a whole number from {} to {}", range.start(), range.end());
    PolicyError::new(key, found, accepted)
}

/// JSON has one kind of number: 6.0 says 6.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast saturates, and only values it doesn't change pass the bounds"
)]
fn whole(number: f64) -> Option<u64> {
    (number.fract() == 0.0 && number >= 0.0).then_some(number as u64)
}
