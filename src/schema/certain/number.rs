//! Numbers, as far as their digits say everything.

use serde_json::Value;

use super::{
    Pass,
    node::{FRACTION, INTEGER, Node},
};

/// As many digits every double keeps, and its division by a power of ten is exact to the last bit.
const EXACT: usize = 15;

/// As many digits every integer of 64 bits has, and a sign.
const SURE: usize = 17;

/// No number with so few digits before its point is beyond the doubles.
const FINITE: usize = 300;

const POWERS: [f64; EXACT + 1] =
    [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The bounds of a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    any: bool,
    least: Option<f64>,
    most: Option<f64>,
    above: Option<f64>,
    below: Option<f64>,
}

impl Limits {
    /// Takes one more bound; false when it can't be told. Only numbers of at most 15 digits are
    /// held to it, which lie on the same side of a large bound however that is rounded.
    pub(super) fn say(&mut self, keyword: &str, value: &Value) -> bool {
        let limit = value.as_f64().filter(|limit| limit.is_finite());
        self.any = true;
        let held = match keyword {
            "minimum" => &mut self.least,
            "maximum" => &mut self.most,
            "exclusiveMinimum" => &mut self.above,
            _ => &mut self.below,
        };
        *held = limit;
        limit.is_some()
    }

    fn take(&self, number: f64) -> bool {
        self.least.is_none_or(|least| number >= least)
            && self.most.is_none_or(|most| number <= most)
            && self.above.is_none_or(|above| number > above)
            && self.below.is_none_or(|below| number < below)
    }
}

impl Pass<'_> {
    pub(super) fn number(&mut self, node: &Node) -> bool {
        let negative = self.eat(b'-');
        let start = self.at;
        let whole = self.digits(0);
        let digits = self.at.wrapping_sub(start);
        if digits == 0 || digits > 1 && self.bytes.get(start) == Some(&b'0') {
            return false;
        }
        if self.eat(b'.') {
            return self.fraction(node, negative, whole, digits);
        }
        // An exponent may make an integer, or a number beyond the doubles.
        if matches!(self.peek(), b'e' | b'E') || negative && whole == 0 {
            return false;
        }
        let magnitude = i64::try_from(whole).unwrap_or_default();
        let integer = if negative { magnitude.wrapping_neg() } else { magnitude };
        node.types & INTEGER != 0
            && digits <= SURE
            && node.listed.as_ref().is_none_or(|listed| listed.integers.contains(&integer))
            && (!node.limits.any || digits <= EXACT && node.limits.take(as_double(integer)))
    }

    fn fraction(&mut self, node: &Node, negative: bool, whole: u64, digits: usize) -> bool {
        let start = self.at;
        let all = self.digits(whole);
        let after = self.at.wrapping_sub(start);
        let known = after > 0
            && digits <= FINITE
            && !matches!(self.peek(), b'e' | b'E')
            && node.types & FRACTION != 0
            && node.listed.is_none();
        if !known || !node.limits.any {
            return known;
        }
        let Some(power) = POWERS.get(after).filter(|_| digits.wrapping_add(after) <= EXACT) else {
            return false;
        };
        let magnitude = as_double(i64::try_from(all).unwrap_or_default()) / power;
        node.limits.take(if negative { -magnitude } else { magnitude })
    }

    /// Goes over digits, and writes them behind `value`: right while there are few.
    fn digits(&mut self, mut value: u64) -> u64 {
        while let digit @ b'0'..=b'9' = self.peek() {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')));
            self.at = self.at.wrapping_add(1);
        }
        value
    }
}

#[allow(clippy::cast_precision_loss, reason = "it has at most 15 digits")]
fn as_double(integer: i64) -> f64 {
    integer as f64
}
