//! The laws of the runtime, over its public surface.
