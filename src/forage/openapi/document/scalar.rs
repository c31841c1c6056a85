//! What a plain YAML scalar says: YAML 1.2, "Core Schema".

use serde_json::{Number, Value};

/// The value of a plain scalar.
///
/// # Errors
///
/// It is a number that JSON can't say.
pub(super) fn value(text: &str) -> Result<Value, &'static str> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if is_without_value(text) => {
            return Err("infinity and not-a-number can't be said in JSON: leave them out");
        }
        _ => match number(text)? {
            Some(number) => Value::Number(number),
            None => Value::from(text),
        },
    })
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn is_without_value(text: &str) -> bool {
    matches!(unsigned(text), ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
}

fn number(text: &str) -> Result<Option<Number>, &'static str> {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        let digits = text.strip_prefix(prefix).unwrap_or_default();
        if !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix)) {
            let number = u64::from_str_radix(digits, radix).map_err(|_| TOO_LONG)?;
            return Ok(Some(number.into()));
        }
    }
    let digits = unsigned(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let positive = text.strip_prefix('+').unwrap_or(text);
        let number = positive.parse::<u64>().map(Number::from);
        return number
            .or_else(|_| positive.parse::<i64>().map(Number::from))
            .map(Some)
            .map_err(|_| TOO_LONG);
    }
    if !is_float(digits) {
        return Ok(None);
    }
    let double = text.parse().ok().and_then(Number::from_f64);
    double.map(Some).ok_or("a number is beyond the range of doubles: send it as a string")
}

const TOO_LONG: &str = "an integer has more than 64 bits: quote it";

/// Digits with a point or an exponent: `1.`, `.5`, `1e3`, `1.5E-3`.
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(unsigned(exponent))),
        None => (text, None),
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    all_digits(whole)
        && all_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|digits| !digits.is_empty() && all_digits(digits))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::value;

    #[test]
    fn a_plain_scalar_says_what_the_core_schema_says() {
        for (text, expected) in [
            ("", json!(null)),
            ("~", json!(null)),
            ("True", json!(true)),
            ("yes", json!("yes")),
            ("off", json!("off")),
            ("12", json!(12)),
            ("-12", json!(-12)),
            ("+12", json!(12)),
            ("0x1F", json!(31)),
            ("0o17", json!(15)),
            ("0b1", json!("0b1")),
            ("1_000", json!("1_000")),
            ("12:30", json!("12:30")),
            ("1.5", json!(1.5)),
            ("1.", json!(1.0)),
            (".5", json!(0.5)),
            ("-1e3", json!(-1000.0)),
            ("1e", json!("1e")),
            (".", json!(".")),
            ("-", json!("-")),
            ("3.0.1", json!("3.0.1")),
            ("2024-01-01", json!("2024-01-01")),
            ("18446744073709551615", json!(18_446_744_073_709_551_615_u64)),
            ("-9223372036854775808", json!(i64::MIN)),
            ("nan", json!("nan")),
            ("inf", json!("inf")),
        ] {
            assert_eq!(value(text), Ok::<Value, _>(expected), "{text:?}");
        }
    }

    #[test]
    fn a_number_that_json_cannot_say_is_refused() {
        for text in
            ["18446744073709551616", "-9223372036854775809", ".inf", "-.Inf", ".nan", "1e999"]
        {
            assert!(value(text).is_err(), "{text}");
        }
    }
}
