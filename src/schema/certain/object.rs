//! Maps, with every key told apart.

use super::{COMPARED, Pass, node::Node};
use crate::json::DEPTH;

impl<'a> Pass<'a> {
    pub(super) fn object(&mut self, node: &'a Node, depth: usize, frames: usize) -> bool {
        let outer = self.keys.len();
        let taken = depth < DEPTH && self.members(node, outer, depth, frames);
        self.keys.truncate(outer);
        taken
    }

    fn members(&mut self, node: &'a Node, outer: usize, depth: usize, frames: usize) -> bool {
        let (mut seen, mut count, mut next) = (0_u64, 0_usize, 0_usize);
        let (depth, frames) = (depth.wrapping_add(1), frames.wrapping_add(1));
        self.at = self.at.wrapping_add(1);
        self.skip_blanks();
        let mut open = !self.eat(b'}');
        while open {
            let Some(key) = self.key() else { return false };
            let id = match property(node, key, next) {
                Some((at, id)) => {
                    let bit = 1_u64.wrapping_shl(u32::try_from(at).unwrap_or_default());
                    if seen & bit != 0 {
                        return false;
                    }
                    (seen, next) = (seen | bit, at.wrapping_add(1));
                    id
                }
                None if self.is_new(key, outer) => node.additional,
                None => return false,
            };
            if !self.value(id, depth, frames) {
                return false;
            }
            count = count.wrapping_add(1);
            self.skip_blanks();
            open = self.eat(b',');
            if open {
                self.skip_blanks();
            } else if !self.eat(b'}') {
                return false;
            }
        }
        let (least, most) = node.members;
        (least..=most).contains(&count) && seen & node.required == node.required
    }

    /// A key without escapes, and the colon after it.
    fn key(&mut self) -> Option<&'a [u8]> {
        if !self.eat(b'"') {
            return None;
        }
        let start = self.at;
        self.run();
        let key = self.bytes.get(start..self.at)?;
        if !self.eat(b'"') {
            return None;
        }
        self.skip_blanks();
        self.eat(b':').then_some(key)
    }

    /// Notes a key that the schema doesn't name, unless it occurred or is one too many.
    fn is_new(&mut self, key: &'a [u8], outer: usize) -> bool {
        let before = self.keys.get(outer..).unwrap_or_default();
        if before.len() >= COMPARED || before.contains(&key) || key == b"__proto__" {
            return false;
        }
        self.keys.push(key);
        true
    }
}

/// The property of this name, looked for first where it comes in the order of the last text.
fn property(node: &Node, key: &[u8], next: usize) -> Option<(usize, usize)> {
    if let Some((_, id)) = node.properties.get(next).filter(|(name, _)| **name == *key) {
        return Some((next, *id));
    }
    let at = node.properties.iter().position(|(name, _)| **name == *key)?;
    node.properties.get(at).map(|(_, id)| (at, *id))
}
