//! What a pen is called.
//!
//! Spec: 002, §2 `pen_id`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::Persona;

/// `MPP-{persona}-{yyyymmdd}-{nnn}`: the day is UTC's, the number counts the persona's pens
/// of that day from 001, and has four digits after 999.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PenId {
    persona: Persona,
    day: String,
    number: u64,
}

impl PenId {
    /// The id of the persona's pen of this number on `day`, eight digits.
    pub(crate) fn new(persona: Persona, day: String, number: u64) -> Self {
        Self { persona, day, number }
    }

    /// The pen that a text names; none when it names none.
    ///
    /// ```
    /// use mycelium::pen::PenId;
    ///
    /// let id = PenId::parse("MPP-ink-20260501-007").unwrap();
    /// assert_eq!((id.persona().as_str(), id.to_string().as_str()), ("ink", "MPP-ink-20260501-007"));
    /// assert!(PenId::parse("MPP-ink-20260501-7").is_none());
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (persona, rest) = text.strip_prefix("MPP-")?.split_once('-')?;
        let (day, number) = rest.split_once('-')?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if day.len() != 8 || !digits(day) || !digits(number) {
            return None;
        }
        let id = Self::new(Persona::new(persona)?, day.to_owned(), number.parse().ok()?);
        // One pen has one name.
        (id.number > 0 && id.to_string() == text).then_some(id)
    }

    /// The persona that it belongs to.
    #[must_use]
    pub fn persona(&self) -> &Persona {
        &self.persona
    }
}

impl fmt::Display for PenId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "MPP-{}-{}-{:03}", self.persona, self.day, self.number)
    }
}

impl Serialize for PenId {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        writer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PenId {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let text = String::deserialize(reader)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("no pen is called so"))
    }
}

impl JsonSchema for PenId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PenId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": "^MPP-[A-Za-z0-9][A-Za-z0-9_]{0,63}-[0-9]{8}-[0-9]{3,19}$",
            "description": "A pen: MPP-{persona}-{yyyymmdd}-{nnn}.",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::PenId;

    #[test]
    fn a_pen_has_one_name() {
        for good in ["MPP-a-20260501-001", "MPP-A_b-20260501-999", "MPP-7-20260501-1000"] {
            assert_eq!(PenId::parse(good).unwrap().to_string(), good);
        }
        for bad in [
            "",
            "MPP-a-20260501-000",
            "MPP-a-20260501-0001",
            "MPP-a-20260501-1",
            "MPP-a-2026051-001",
            "MPP-a-2026O501-001",
            "MPP-a-b-20260501-001",
            "MPP-../x-20260501-001",
            "mpp-a-20260501-001",
            "MPP-a-20260501-001 ",
            "MPP-a-20260501-99999999999999999999",
        ] {
            assert!(PenId::parse(bad).is_none(), "{bad:?}");
        }
    }
}
