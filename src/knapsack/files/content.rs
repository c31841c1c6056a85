//! Bytes as JSON has them: text where they are text, marked base64 where they aren't.

use data_encoding::BASE64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How content is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// As UTF-8 text.
    #[default]
    Text,
    /// As base64 with padding, for what isn't text.
    Base64,
}

/// Content, and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The content as it is written.
    pub content: String,
    /// How.
    pub encoding: Encoding,
}

impl Content {
    /// The bytes as text if they are UTF-8 without NUL, else as base64.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(content) if !content.contains('\0') => Self { content, encoding: Encoding::Text },
            Ok(content) => Self::base64(content.as_bytes()),
            Err(error) => Self::base64(error.as_bytes()),
        }
    }

    /// The bytes as base64.
    #[must_use]
    pub fn base64(bytes: &[u8]) -> Self {
        Self { content: BASE64.encode(bytes), encoding: Encoding::Base64 }
    }

    /// The bytes.
    ///
    /// # Errors
    ///
    /// What is marked as base64 isn't any.
    pub fn bytes(self) -> Result<Vec<u8>, &'static str> {
        match self.encoding {
            Encoding::Text => Ok(self.content.into_bytes()),
            Encoding::Base64 => BASE64.decode(self.content.as_bytes()).map_err(|_| {
                "the content isn't base64 with padding: encode it again, or leave the encoding out"
            }),
        }
    }
}

/// How many bytes at the end of a text that is cut are the beginning of a character.
pub(super) fn cut_character(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => {
            bytes.len().saturating_sub(error.valid_up_to())
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Content, Encoding, cut_character};

    #[test]
    fn text_is_text_and_all_else_is_marked() {
        let encoding = |bytes: &[u8]| Content::of(bytes.to_vec()).encoding;
        assert_eq!(encoding("é\r\n".as_bytes()), Encoding::Text);
        assert_eq!(encoding(b""), Encoding::Text);
        assert_eq!(encoding(b"a\0b"), Encoding::Base64);
        assert_eq!(encoding(b"\xff"), Encoding::Base64);
    }

    #[test]
    fn the_beginning_of_a_character_is_known_from_what_is_none() {
        let euro = "a€".as_bytes();
        assert_eq!(cut_character(&euro[..2]), 1);
        assert_eq!(cut_character(&euro[..3]), 2);
        assert_eq!(cut_character(euro), 0);
        assert_eq!(cut_character(b"\xffa"), 0);
    }

    proptest! {
        #[test]
        fn no_byte_is_lost(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(Content::of(bytes.clone()).bytes(), Ok(bytes));
        }
    }
}
