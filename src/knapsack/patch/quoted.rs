//! File names as diffs write them.

/// A name after `--- `, `+++ ` or `rename to `: quoted as in C, or up to a tab.
///
/// None for a quoted name that doesn't end or isn't UTF-8.
pub(super) fn name(text: &str) -> Option<String> {
    match text.strip_prefix('"') {
        Some(quoted) => Some(unquoted(quoted)?.0),
        None => Some(text.split('\t').next().unwrap_or_default().trim_end().to_owned()),
    }
}

/// The two names of a `diff --git` line: quoted, or equal but for their prefixes.
pub(super) fn pair(text: &str) -> Option<(String, String)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (first, rest) = unquoted(quoted)?;
        return Some((first, name(rest.strip_prefix(' ')?)?));
    }
    let middle = text.len().checked_sub(1)?.checked_div(2)?;
    let (first, rest) = text.split_at_checked(middle)?;
    let second = rest.strip_prefix(' ')?;
    let rest = |name: &'_ str| name.split_once('/').map(|(_, rest)| rest.to_owned());
    (rest(first) == rest(second)).then(|| (first.to_owned(), second.to_owned()))
}

/// What stands before the closing quote, and what after it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text;
    loop {
        let next = rest.chars().next()?;
        rest = rest.get(next.len_utf8()..)?;
        match next {
            '"' => return Some((String::from_utf8(bytes).ok()?, rest)),
            '\\' => {
                let (byte, after) = escaped(rest)?;
                bytes.push(byte);
                rest = after;
            }
            plain => bytes.extend(plain.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
}

/// The byte of an escape, and what stands after it.
fn escaped(text: &str) -> Option<(u8, &str)> {
    if let Some((digits, rest)) = text.split_at_checked(3)
        && let Ok(byte) = u8::from_str_radix(digits, 8)
        && digits.bytes().all(|digit| digit.is_ascii_digit())
    {
        return Some((byte, rest));
    }
    let (letter, rest) = text.split_at_checked(1)?;
    let byte = match letter {
        "a" => 7,
        "b" => 8,
        "t" => b'\t',
        "n" => b'\n',
        "v" => 11,
        "f" => 12,
        "r" => b'\r',
        "\"" => b'"',
        "\\" => b'\\',
        _ => return None,
    };
    Some((byte, rest))
}

#[cfg(test)]
mod tests {
    use super::{name, pair};

    #[test]
    fn a_name_is_read_as_git_writes_it() {
        let cases = [
            ("a/x.txt", Some("a/x.txt")),
            ("a/x y.txt\t2026-01-01 00:00:00", Some("a/x y.txt")),
            (r#""a/\303\251\t\"\\.txt""#, Some("a/é\t\"\\.txt")),
            (r#""a/\303""#, None),
            (r#""a"#, None),
            (r#""\q""#, None),
            ("", Some("")),
        ];
        for (text, expected) in cases {
            assert_eq!(name(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn two_names_are_told_apart() {
        let both = |one: &str, other: &str| Some((one.to_owned(), other.to_owned()));
        assert_eq!(pair("a/x b/x"), both("a/x", "b/x"));
        assert_eq!(pair("a/x b/x b/x b/x"), both("a/x b/x", "b/x b/x"));
        assert_eq!(pair(r#""a/\303\251" "b/\303\251""#), both("a/é", "b/é"));
        assert_eq!(pair("a/x b/yy"), None);
        assert_eq!(pair(""), None);
        assert_eq!(pair("é"), None);
    }
}
