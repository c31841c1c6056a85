//! Any value, by its first byte.

use super::{
    FRAMES, Pass,
    node::{ARRAY, BOOLEAN, NULL, Node, OBJECT, STRING},
};
use crate::json::DEPTH;

impl<'a> Pass<'a> {
    /// Goes over one value, with `depth` lists and maps around it and `frames` schemas.
    pub(super) fn value(&mut self, id: usize, depth: usize, frames: usize) -> bool {
        let plan = self.plan;
        let Some(node) = plan.node(id).filter(|_| frames < FRAMES) else { return false };
        self.skip_blanks();
        if !node.choices.is_empty() {
            let start = self.at;
            if node.types == 0 || !self.chosen(node, depth, frames) {
                return false;
            }
            if node.bare {
                return true;
            }
            if !self.back(start) {
                return false;
            }
        }
        match self.peek() {
            b'"' => node.types & STRING != 0 && self.string(node),
            b'{' => {
                node.types & OBJECT != 0
                    && node.listed.is_none()
                    && self.object(node, depth, frames)
            }
            b'[' => {
                node.types & ARRAY != 0 && node.listed.is_none() && self.array(node, depth, frames)
            }
            b't' => self.truth(node, b"true", true),
            b'f' => self.truth(node, b"false", false),
            b'n' => {
                node.types & NULL != 0
                    && node.listed.as_ref().is_none_or(|listed| listed.null)
                    && self.word(b"null")
            }
            _ => self.number(node),
        }
    }

    /// Whether one of each group takes the value; then it is gone over.
    fn chosen(&mut self, node: &'a Node, depth: usize, frames: usize) -> bool {
        let (start, frames) = (self.at, frames.wrapping_add(1));
        node.choices
            .iter()
            .all(|group| group.iter().any(|id| self.back(start) && self.value(*id, depth, frames)))
    }

    /// Goes back, unless that was done too often. Keys of maps that were left are forgotten
    /// where those maps end.
    fn back(&mut self, start: usize) -> bool {
        let cost = self.at.wrapping_sub(start).wrapping_add(1);
        let left = self.again.checked_sub(cost);
        self.again = left.unwrap_or_default();
        self.at = start;
        left.is_some()
    }

    fn array(&mut self, node: &'a Node, depth: usize, frames: usize) -> bool {
        if depth >= DEPTH {
            return false;
        }
        let (depth, frames) = (depth.wrapping_add(1), frames.wrapping_add(1));
        let mut count = 0_usize;
        self.at = self.at.wrapping_add(1);
        self.skip_blanks();
        let mut open = !self.eat(b']');
        while open {
            let id = node.first.get(count).copied().unwrap_or(node.rest);
            if !self.value(id, depth, frames) {
                return false;
            }
            count = count.wrapping_add(1);
            self.skip_blanks();
            open = self.eat(b',');
            if !open && !self.eat(b']') {
                return false;
            }
        }
        let (least, most) = node.items;
        (least..=most).contains(&count)
    }

    fn truth(&mut self, node: &Node, word: &[u8], truth: bool) -> bool {
        node.types & BOOLEAN != 0
            && node.listed.as_ref().is_none_or(|listed| listed.truths.contains(&truth))
            && self.word(word)
    }

    fn word(&mut self, word: &[u8]) -> bool {
        let here = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        self.at = self.at.wrapping_add(word.len());
        here
    }
}
