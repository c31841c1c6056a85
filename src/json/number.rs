//! Integers written with more digits than a number keeps.

use super::JsonError;

/// The digits that every integer of 64 bits has at most; a longer one is read as a double.
const SURE_DIGITS: usize = 18;

/// Refuses a text in which an integer would lose digits when it is read.
///
/// Reads valid JSON; of anything else it only promises to end.
pub(super) fn keeps_its_integers(text: &str) -> Result<(), JsonError> {
    let bytes = text.as_bytes();
    let mut at = 0_usize;
    while let Some(byte) = bytes.get(at) {
        let end = match byte {
            b'"' => string_end(bytes, at),
            b'-' | b'0'..=b'9' => number_end(bytes, at),
            _ => at.saturating_add(1),
        };
        if *byte != b'"' && text.get(at..end).is_some_and(loses_digits) {
            return Err(lossy(text, at));
        }
        at = end;
    }
    Ok(())
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start.saturating_add(1);
    loop {
        match bytes.get(at) {
            None => return at,
            Some(b'"') => return at.saturating_add(1),
            Some(b'\\') => at = at.saturating_add(2),
            Some(_) => at = at.saturating_add(1),
        }
    }
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    let length = bytes.iter().skip(start).take_while(|byte| part(byte)).count();
    start.saturating_add(length)
}

/// Whether `number` is an integer that neither 64 bits nor a double hold.
fn loses_digits(number: &str) -> bool {
    if number.len() <= SURE_DIGITS || number.contains(['.', 'e', 'E']) {
        return false;
    }
    if number.parse::<u64>().is_ok() || number.parse::<i64>().is_ok() {
        return false;
    }
    // A program prints 2^69 as 590295810358705700000: the shortest digits that mean
    // this double and no other, filled up with zeros.
    !number
        .parse::<f64>()
        .is_ok_and(|double| number == format!("{double}") || number == format!("{double:.0}"))
}

fn lossy(text: &str, at: usize) -> JsonError {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count().saturating_add(1);
    let column = before.rsplit('\n').next().map_or(0, str::len).saturating_add(1);
    JsonError::new("an integer has more digits than a number keeps: send it as a string")
        .at_place(line, column)
}

#[cfg(test)]
mod tests {
    use super::keeps_its_integers;

    #[test]
    fn an_integer_that_would_lose_digits_is_refused() {
        for text in [
            "18446744073709551617",
            "-9223372036854775809",
            r#"{"a": ["\"", 100000000000000000000000000000001]}"#,
        ] {
            assert!(keeps_its_integers(text).is_err(), "{text}");
        }
        let error = keeps_its_integers("[1,\n 18446744073709551617]").unwrap_err();
        assert_eq!(error.place(), Some((2, 2)));
    }

    #[test]
    fn an_integer_that_is_kept_passes() {
        for text in [
            "18446744073709551615",
            "-9223372036854775808",
            "590295810358705700000",
            "590295810358705651712",
            "100000000000000000000",
            "3.14159265358979323846264338",
            "1e300",
            r#""18446744073709551617""#,
            "-",
            "\"",
            "\"\\",
        ] {
            assert!(keeps_its_integers(text).is_ok(), "{text}");
        }
    }
}
