//! Base64, strictly: with padding, without spaces, and in one way only.

/// The alphabet of RFC 4648, section 4.
const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The alphabet of RFC 4648, section 5.
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The bytes that `text` encodes, with its padding.
#[must_use]
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let bare = text.trim_end_matches('=');
    let padding = text.len().saturating_sub(bare.len());
    if !text.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    read(bare, STANDARD)
}

/// The bytes that `text` encodes in the alphabet for URLs, without padding.
#[must_use]
pub(crate) fn decode_url(text: &str) -> Option<Vec<u8>> {
    read(text, URL)
}

/// `bytes` in the alphabet for URLs, without padding.
#[must_use]
pub(crate) fn encode_url(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3).saturating_mul(4));
    for chunk in bytes.chunks(3) {
        let mut bits = [0_u8; 4];
        for (place, byte) in bits.iter_mut().skip(1).zip(chunk) {
            *place = *byte;
        }
        let word = u32::from_be_bytes(bits);
        for place in 0..=chunk.len() {
            let shift = 18_usize.saturating_sub(place.saturating_mul(6));
            let sextet = usize::try_from((word >> shift) & 63).unwrap_or_default();
            text.push(char::from(URL.get(sextet).copied().unwrap_or_default()));
        }
    }
    text
}

fn read(text: &str, alphabet: &[u8; 64]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for chunk in text.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for byte in chunk {
            let value = alphabet.iter().position(|known| known == byte)?;
            word = (word << 6) | u32::try_from(value).ok()?;
        }
        // What the last characters have beyond whole bytes is zero, or there are two ways
        // to say the same.
        let (shift, kept) = match chunk.len() {
            4 => (8, 3),
            3 => (14, 2),
            2 => (20, 1),
            _ => return None,
        };
        let all = (word << shift).to_be_bytes();
        if all.iter().skip(kept).any(|byte| *byte != 0) {
            return None;
        }
        bytes.extend(all.iter().take(kept));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::{decode, decode_url, encode_url};

    #[test]
    fn the_examples_of_rfc_4648_are_read() {
        let examples = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (text, bytes) in examples {
            assert_eq!(decode(text), Some(bytes.as_bytes().to_vec()), "{text}");
            assert_eq!(encode_url(bytes.as_bytes()), text.trim_end_matches('='));
        }
        for text in
            ["Zg", "Zg=", "Zh==", "Zg===", "Z", "Zm9v!", "Zm 9v", "Zm9=", "-_==", "=", "===="]
        {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes in any::<Vec<u8>>()) {
            prop_assert_eq!(decode_url(&encode_url(&bytes)), Some(bytes));
        }

        #[test]
        fn a_text_that_is_read_is_the_one_that_is_written(text in "[A-Za-z0-9_-]{0,12}") {
            if let Some(bytes) = decode_url(&text) {
                prop_assert_eq!(encode_url(&bytes), text);
            }
        }
    }
}
