//! The isolates of pens.

use std::rc::Rc;

use serde::Serialize;

use crate::{
    pen::{Lang, PenId},
    sandbox::Loader,
};

/// What the network of one pen's isolate is.
///
/// An isolate of a pen always has a network of ours, also where it may reach nothing: so an
/// attempt is seen. Whatever else it asks for is refused and told to the pen's book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outbound {
    /// The pen.
    pub pen_id: PenId,
    /// The hosts that it may reach, each exactly, with its port where that isn't the scheme's.
    pub allow: Vec<String>,
}

/// Makes isolates for pens.
pub trait Isolates {
    /// A loader whose isolates have this network.
    fn loader(&self, outbound: Outbound) -> Rc<dyn Loader>;

    /// Why programs in `lang` can't be run here; none when they can.
    fn lacks(&self, lang: Lang) -> Option<String> {
        match lang {
            Lang::Node => None,
            Lang::Python => Some(
                "this host runs no Python, for its isolates are loaded with JavaScript alone; \
                 set options.sandbox.lang to node"
                    .to_owned(),
            ),
            Lang::Shell => Some(
                "isolates have no shell and no processes; set options.sandbox.lang to node"
                    .to_owned(),
            ),
        }
    }
}
