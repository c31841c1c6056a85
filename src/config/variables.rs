//! The Worker's variables that stand over single keys of the file.

/// Each variable and the key that it says. A list is said with commas between.
pub(super) const VARIABLES: &[(&str, &[&str])] = &[
    ("MYCELIUM_AUTH_DEV", &["auth", "dev"]),
    ("MYCELIUM_JWT_ISSUER", &["auth", "jwt", "issuer"]),
    ("MYCELIUM_JWT_AUDIENCE", &["auth", "jwt", "audience"]),
    ("MYCELIUM_JWT_JWKS_URL", &["auth", "jwt", "jwks_url"]),
    ("MYCELIUM_JWT_ACTOR", &["auth", "jwt", "actor"]),
    ("MYCELIUM_JWT_ROLE_CLAIM", &["auth", "jwt", "role_claim"]),
    ("MYCELIUM_AUTHORIZATION_SERVERS", &["auth", "authorization_servers"]),
    ("MYCELIUM_SCOPE", &["auth", "scope"]),
    ("MYCELIUM_ORIGINS", &["origins", "allowed"]),
    ("MYCELIUM_CONNECTIONS", &["limits", "max_connections"]),
    ("MYCELIUM_APPROVAL_MS", &["limits", "approval_ms"]),
    ("MYCELIUM_TIMEOUT_MS", &["limits", "timeout_ms"]),
    ("MYCELIUM_LOCAL_DEV_UNENFORCED_LIMITS", &["limits", "local_dev_unenforced"]),
    ("MYCELIUM_SANDBOX_CAPACITY", &["admission", "sandbox_capacity"]),
    ("MYCELIUM_ADMISSION_WAIT_MS", &["admission", "admission_wait_ms"]),
];
