//! What was made lately, in bounded number and weight.

use std::{collections::BTreeMap, rc::Rc};

use crate::json::Digest;

/// Keeps what was used last, and lets go of what was used longest ago.
pub(super) struct Cache<T> {
    entries: BTreeMap<Digest, Entry<T>>,
    /// The same entries by their last use.
    uses: BTreeMap<u64, Digest>,
    /// The next use; 2^64 uses don't happen.
    next_use: u64,
    weight: usize,
    most_entries: usize,
    most_weight: usize,
}

struct Entry<T> {
    made: Rc<T>,
    weight: usize,
    last_use: u64,
}

impl<T> Cache<T> {
    /// An empty cache for `most_entries`, which weigh `most_weight` together.
    pub(super) const fn new(most_entries: usize, most_weight: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            uses: BTreeMap::new(),
            next_use: 0,
            weight: 0,
            most_entries,
            most_weight,
        }
    }

    /// What was made under `digest`, which is thereby the last used.
    pub(super) fn get(&mut self, digest: &Digest) -> Option<Rc<T>> {
        let entry = self.entries.get_mut(digest)?;
        self.uses.remove(&entry.last_use);
        entry.last_use = self.next_use;
        self.uses.insert(self.next_use, *digest);
        self.next_use = self.next_use.saturating_add(1);
        Some(Rc::clone(&entry.made))
    }

    /// Keeps `made`, unless it alone is over the weight; others go until the rest fits.
    pub(super) fn keep(&mut self, digest: Digest, weight: usize, made: Rc<T>) {
        self.drop_entry(&digest);
        if weight > self.most_weight || self.most_entries == 0 {
            return;
        }
        while self.entries.len() >= self.most_entries
            || self.weight.saturating_add(weight) > self.most_weight
        {
            let Some((_, oldest)) = self.uses.first_key_value() else { return };
            let oldest = *oldest;
            self.drop_entry(&oldest);
        }
        let last_use = self.next_use;
        self.next_use = self.next_use.saturating_add(1);
        self.weight = self.weight.saturating_add(weight);
        self.uses.insert(last_use, digest);
        self.entries.insert(digest, Entry { made, weight, last_use });
    }

    fn drop_entry(&mut self, digest: &Digest) {
        if let Some(entry) = self.entries.remove(digest) {
            self.uses.remove(&entry.last_use);
            self.weight = self.weight.saturating_sub(entry.weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::json;

    use super::Cache;
    use crate::json::Digest;

    fn digest(number: u64) -> Digest {
        Digest::of(&json!(number))
    }

    #[test]
    fn the_one_used_longest_ago_goes_first() {
        let mut cache = Cache::new(2, 100);
        cache.keep(digest(1), 1, Rc::new(1));
        cache.keep(digest(2), 1, Rc::new(2));
        assert_eq!(cache.get(&digest(1)).as_deref(), Some(&1));
        cache.keep(digest(3), 1, Rc::new(3));
        assert_eq!(cache.get(&digest(2)), None);
        assert_eq!(cache.get(&digest(1)).as_deref(), Some(&1));
        assert_eq!(cache.get(&digest(3)).as_deref(), Some(&3));
    }

    #[test]
    fn what_is_too_heavy_makes_room_or_is_not_kept() {
        let mut cache = Cache::new(10, 10);
        (0..5).for_each(|number| cache.keep(digest(number), 2, Rc::new(number)));
        cache.keep(digest(9), 5, Rc::new(9));
        assert!(cache.get(&digest(0)).is_none() && cache.get(&digest(2)).is_none());
        assert!(cache.get(&digest(3)).is_some() && cache.get(&digest(9)).is_some());
        cache.keep(digest(7), 11, Rc::new(7));
        assert!(cache.get(&digest(7)).is_none() && cache.get(&digest(9)).is_some());
    }

    #[test]
    fn no_sequence_of_uses_goes_over_a_bound() {
        let mut cache = Cache::new(8, 40);
        let mut random = 7_u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (number, weight) = (random >> 59, usize::try_from(random >> 40 & 15).unwrap());
            if random & (1 << 20) == 0 {
                cache.keep(digest(number), weight, Rc::new(number));
            } else if let Some(kept) = cache.get(&digest(number)) {
                assert_eq!(*kept, number);
            }
            let weights: usize = cache.entries.values().map(|entry| entry.weight).sum();
            assert_eq!(weights, cache.weight);
            assert_eq!(cache.entries.len(), cache.uses.len());
            assert!(cache.entries.len() <= 8 && cache.weight <= 40);
        }
    }
}
