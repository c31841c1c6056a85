//! A principal's sessions: which are at work, which are parked.
//!
//! Facts alone: whoever holds the table asks its neighbours, then says what came of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    /// Whether it has a place among those at work; otherwise it is parked.
    seated: bool,
    touched_ms: u64,
}

/// What came of asking for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admitted {
    /// It has one.
    Seated,
    /// Every place is taken, by these: the one that has had its for longest first.
    Full(Vec<String>),
}

/// The table of one principal's sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    bound: usize,
    rows: BTreeMap<String, Row>,
}

impl Table {
    /// An empty table of `bound` places.
    #[must_use]
    pub fn new(bound: usize) -> Self {
        Self { bound, rows: BTreeMap::new() }
    }

    /// Changes the number of places; nobody loses one that they have.
    #[must_use]
    pub fn bounded(mut self, bound: usize) -> Self {
        self.bound = bound;
        self
    }

    /// Gives `session` a place, if it hasn't one and there is one.
    pub fn admit(&mut self, session: &str, now_ms: u64) -> Admitted {
        let has = self.rows.get(session).is_some_and(|row| row.seated);
        if has || self.seated() < self.bound {
            self.rows.insert(session.to_owned(), Row { seated: true, touched_ms: now_ms });
            return Admitted::Seated;
        }
        let mut others: Vec<_> = self.rows.iter().filter(|(_, row)| row.seated).collect();
        others.sort_by_key(|(_, row)| row.touched_ms);
        Admitted::Full(others.into_iter().map(|(name, _)| name.clone()).collect())
    }

    /// Takes the place of `victim`, who agreed, for `session`; whether it still had one.
    pub fn replace(&mut self, victim: &str, session: &str, now_ms: u64) -> bool {
        let Some(row) = self.rows.get_mut(victim).filter(|row| row.seated) else { return false };
        row.seated = false;
        matches!(self.admit(session, now_ms), Admitted::Seated)
    }

    /// Forgets a session that has ended.
    pub fn end(&mut self, session: &str) {
        self.rows.remove(session);
    }

    /// Forgets the sessions that nobody used for `ttl_ms`, and the longest parked
    /// beyond `kept`; gives them.
    pub fn expire(&mut self, now_ms: u64, ttl_ms: u64, kept: usize) -> Vec<String> {
        let mut parked: Vec<_> = self
            .rows
            .iter()
            .filter(|(_, row)| !row.seated)
            .map(|(name, row)| (row.touched_ms, name.clone()))
            .collect();
        parked.sort();
        let surplus = self.rows.len().saturating_sub(kept);
        let over = |(place, (touched_ms, _)): &(usize, (u64, String))| {
            *place < surplus || touched_ms.saturating_add(ttl_ms) <= now_ms
        };
        let ended: Vec<String> =
            parked.into_iter().enumerate().filter(over).map(|(_, (_, name))| name).collect();
        for name in &ended {
            self.rows.remove(name);
        }
        ended
    }

    /// How many have a place.
    #[must_use]
    pub fn seated(&self) -> usize {
        self.rows.values().filter(|row| row.seated).count()
    }

    /// Whether there is this session, and whether it has a place.
    #[must_use]
    pub fn has(&self, session: &str) -> Option<bool> {
        self.rows.get(session).map(|row| row.seated)
    }

    /// How many sessions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::{
        collection::vec,
        prelude::{any, prop_assert, prop_assert_eq, proptest},
    };

    use super::{Admitted, Table};

    #[test]
    fn the_ninth_parks_the_one_that_sat_for_longest() {
        let mut table = Table::new(2);
        assert_eq!(table.admit("a", 1), Admitted::Seated);
        assert_eq!(table.admit("b", 2), Admitted::Seated);
        assert_eq!(table.admit("a", 3), Admitted::Seated, "it has its place already");
        assert_eq!(table.admit("c", 4), Admitted::Full(vec!["b".to_owned(), "a".to_owned()]));
        assert!(table.replace("b", "c", 4));
        assert_eq!(
            (table.has("a"), table.has("b"), table.has("c")),
            (Some(true), Some(false), Some(true))
        );
        assert!(!table.replace("b", "d", 5), "it has no place to give any more");
        assert_eq!(table.has("d"), None);
    }

    #[test]
    fn parked_ones_end_with_their_time_and_seated_ones_don_t() {
        let mut table = Table::new(1);
        table.admit("a", 0);
        table.replace("a", "b", 10);
        assert_eq!(table.expire(99, 100, 10), Vec::<String>::new());
        assert_eq!(table.expire(500, 100, 10), ["a"]);
        assert_eq!(table.has("b"), Some(true));
    }

    proptest! {
        #[test]
        fn never_more_sit_than_there_are_places_and_nobody_is_lost(
            bound in 1_usize..5,
            steps in vec((0_u8..4, 0_u8..12, any::<bool>()), 0..200),
        ) {
            let mut table = Table::new(bound);
            let mut there = std::collections::BTreeSet::new();
            for (now, (step, who, agrees)) in steps.into_iter().enumerate() {
                let (name, now) = (format!("s{who}"), now as u64);
                match step {
                    0..=2 => match table.admit(&name, now) {
                        Admitted::Seated => { there.insert(name); }
                        Admitted::Full(others) => {
                            prop_assert_eq!(others.len(), bound);
                            prop_assert!(!others.contains(&name));
                            if agrees {
                                prop_assert!(table.replace(&others[0], &name, now));
                                there.insert(name);
                            }
                        }
                    },
                    _ => { table.end(&name); there.remove(&name); }
                }
                prop_assert!(table.seated() <= bound);
                prop_assert_eq!(table.len(), there.len());
                prop_assert!(there.iter().all(|name| table.has(name).is_some()));
                prop_assert!(table.expire(now, 1_000, 1_000).is_empty());
            }
        }
    }
}
