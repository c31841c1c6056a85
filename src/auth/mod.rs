//! Who is calling: keys, tokens, and the developer at this machine.
//!
//! Owns the rules by which a request gets a principal. Doesn't own what a principal
//! may do, nor cryptography that the platform has: that is a port.
//!
//! Spec: 000 and 003, "MCP"; MCP 2025-11-25, "Authorization".

mod api_key;
mod authenticator;
mod jwt;
mod loopback;
mod metadata;

pub use api_key::{ApiKeys, KeyError};
pub use authenticator::Authenticator;
pub use jwt::{Algorithm, Jwks, JwksCache, Jwt, JwtRules, Signatures};
pub use loopback::is_loopback;
pub use metadata::ResourceMetadata;
