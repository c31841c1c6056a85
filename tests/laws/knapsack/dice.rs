//! Numbers that a seed repeats.

/// A generator whose seed stands in the message of whatever fails.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// One of 0 up to `sides`, without it.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        // Xorshift, by Marsaglia.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(sides.max(1)).unwrap()).unwrap()
    }
}
