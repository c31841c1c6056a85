//! The Worker as it is deployed: its size, its start.

use crate::{
    failure::Failure,
    measure::{self, Size, Start},
    setup::Node,
    workspace::Workspace,
};

/// The most bytes of the gzipped host module: 2.5 MiB.
///
/// The platform takes 3 MB gzipped on its free plan and 10 MB on the paid one, all
/// modules together; the intake module is apart. Raising it needs a reason in the
/// change log.
const HOST_GZIP: u64 = 2_621_440;

/// The most milliseconds that the Worker may add to workerd's start, as a median.
///
/// A first request waits for them. The platform itself bounds a start's processor
/// time at one second. The goal is 50, which all connections together don't meet: most of
/// it is reading 9 MB of module.
const START_MS: f64 = 100.0;

/// How many starts the median is of.
const SAMPLES: u32 = 11;

/// The size of both modules.
pub(super) fn size(workspace: &Workspace, node: &Node) -> Result<String, Failure> {
    let sizes = measure::sizes(workspace, node)?;
    let Size { gzip, .. } = sizes.host;
    let said = format!("host {}; intake {}", sizes.host, sizes.intake);
    if gzip > HOST_GZIP {
        return Err(Failure::verdict(format!("{said}: the host is to be {HOST_GZIP} at most")));
    }
    Ok(said)
}

/// The start of the Worker in raw workerd.
pub(super) fn start(workspace: &Workspace, node: &Node) -> Result<String, Failure> {
    let start: Start = measure::start(workspace, node, SAMPLES)?;
    if start.judged() > START_MS {
        return Err(Failure::verdict(format!("{start}: it is to be {START_MS} ms at most")));
    }
    Ok(start.to_string())
}
