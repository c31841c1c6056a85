//! SHA-256 of exact bytes.

use sha2::{Digest, Sha256};

/// 64 hexadecimal digits in small letters.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn a_hash_is_of_the_bytes_as_they_are() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
        assert_ne!(sha256("求和".as_bytes()), sha256("求和 ".as_bytes()));
        assert_eq!(
            sha256("abc".as_bytes()),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
