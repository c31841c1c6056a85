//! How large a document may be.

use super::Refusal;
use crate::limits::{OPENAPI_DEPTH, OPENAPI_NODES};

/// How large a document is as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// Its maps, lists and scalars; keys aren't counted.
    pub(super) nodes: usize,
    /// Its levels: the root is the first, and a scalar stands on one of its own.
    pub(super) depth: usize,
}

impl Extent {
    /// Counts a node on `level`.
    pub(super) fn at(&mut self, level: usize) {
        self.nodes = self.nodes.saturating_add(1);
        self.depth = self.depth.max(level);
    }

    /// Whether the document may be that large.
    pub(super) fn admit(self) -> Result<(), Refusal> {
        if self.depth > OPENAPI_DEPTH {
            return Err(Refusal::TooDeep {});
        }
        if self.nodes > OPENAPI_NODES {
            return Err(Refusal::TooManyNodes {});
        }
        Ok(())
    }
}
