//! What a client is given to come back with: it names a suspended call, and nobody
//! else can make one.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::is_session_id;

/// The key of one call's states.
pub(super) type Key = [u8; 32];

/// What a state is bound to beside what it says itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<'a> {
    /// Whose the call is, as an owner key.
    pub(super) owner: &'a str,
    /// The digest of the call's name and arguments.
    pub(super) digest: &'a str,
}

/// What a state says: which call, which round of questions, until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sealed {
    pub(super) call: String,
    pub(super) round: u64,
    pub(super) expires_ms: u64,
    seal: Vec<u8>,
}

impl Sealed {
    /// The state's text, sealed with `key`.
    pub(super) fn write(
        call: &str,
        round: u64,
        expires_ms: u64,
        key: &Key,
        bound: Bound<'_>,
    ) -> String {
        let seal = mac(call, round, expires_ms, key, bound).finalize().into_bytes();
        format!("{call}.{round}.{expires_ms}.{}", BASE64URL_NOPAD.encode(&seal))
    }

    /// What `text` says, whether or not it is sealed well.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let call = parts.next().filter(|call| is_session_id(call))?.to_owned();
        let (round, expires_ms) = (whole(parts.next()?)?, whole(parts.next()?)?);
        let seal = BASE64URL_NOPAD.decode(parts.next()?.as_bytes()).ok()?;
        parts.next().is_none().then_some(Self { call, round, expires_ms, seal })
    }

    /// Whether it was sealed with `key` for just this.
    pub(super) fn is_sealed(&self, key: &Key, bound: Bound<'_>) -> bool {
        // In constant time.
        mac(&self.call, self.round, self.expires_ms, key, bound).verify_slice(&self.seal).is_ok()
    }
}

fn whole(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

fn mac(call: &str, round: u64, expires_ms: u64, key: &Key, bound: Bound<'_>) -> Hmac<Sha256> {
    let mut block = [0; 64];
    block.iter_mut().zip(key).for_each(|(place, byte)| *place = *byte);
    // A key that is shorter than a block is filled up with zeros.
    let mut mac = Hmac::<Sha256>::new(&block.into());
    let parts = [
        "request-state",
        call,
        &round.to_string(),
        &expires_ms.to_string(),
        bound.owner,
        bound.digest,
    ];
    for part in parts {
        // With its length, so that no two lists of parts read the same.
        mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};

    use super::{Bound, Sealed};

    const CALL: &str = "0123456789abcdef0123456789abcdef";
    const BOUND: Bound<'_> = Bound { owner: "member:ada", digest: "d" };

    fn sealed() -> String {
        Sealed::write(CALL, 3, 1_000, &[7; 32], BOUND)
    }

    #[test]
    fn a_state_opens_with_its_key_for_its_owner_and_its_call_only() {
        let read = Sealed::read(&sealed()).unwrap();
        assert_eq!((read.call.as_str(), read.round, read.expires_ms), (CALL, 3, 1_000));
        assert!(read.is_sealed(&[7; 32], BOUND));
        assert!(!read.is_sealed(&[8; 32], BOUND));
        assert!(!read.is_sealed(&[7; 32], Bound { owner: "member:bob", ..BOUND }));
        assert!(!read.is_sealed(&[7; 32], Bound { digest: "e", ..BOUND }));
    }

    proptest! {
        #[test]
        fn no_other_text_opens(place in 0_usize..100, with in "[0-9A-Za-z._-]") {
            let good = sealed();
            let place = place.checked_rem(good.len()).unwrap_or_default();
            let mut text = good.clone();
            text.replace_range(place..=place, &with);
            let opens = Sealed::read(&text).is_some_and(|read| read.is_sealed(&[7; 32], BOUND));
            prop_assert!(opens == (text == good));
            for longer in [format!("{good}{with}"), format!("{with}{good}")] {
                prop_assert!(!Sealed::read(&longer).is_some_and(|read| read.is_sealed(&[7; 32], BOUND)));
            }
        }

        #[test]
        fn no_text_breaks_the_reading(text in ".*") {
            let _ = Sealed::read(&text);
        }
    }
}
