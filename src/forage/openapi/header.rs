//! Which headers a program may send.

/// Families by the beginning of the name, in small letters.
const FAMILIES: &[&str] = &["proxy-", "sec-", "cf-", "x-forwarded-", "access-control-"];

/// Headers that the connection, a proxy, the platform or the host writes, that carry
/// credentials, or that change what the method means; in small letters.
const RESERVED: &[&str] = &[
    // Written by whoever sends the request.
    "accept",
    "accept-charset",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "origin",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    // Say for whom a request was forwarded.
    "client-ip",
    "forwarded",
    "true-client-ip",
    "via",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-host",
    "x-original-host",
    "x-original-url",
    "x-real-ip",
    "x-rewrite-url",
    // Credentials.
    "authorization",
    "cookie",
    "cookie2",
    "set-cookie",
    "set-cookie2",
    "www-authenticate",
    // Change the method.
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-override-method",
];

/// Headers that OpenAPI itself says are described elsewhere, in small letters.
#[cfg(feature = "intake-openapi")]
const DESCRIBED_ELSEWHERE: &[&str] = &["accept", "authorization", "content-type"];

/// Whether `name` is a token: RFC 9110, section 5.6.2.
pub(crate) fn is_token(name: &str) -> bool {
    let sign = |byte: u8| b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || sign(byte))
}

/// Whether a program may never send the header.
pub(crate) fn is_reserved(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    RESERVED.contains(&name.as_str()) || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Whether OpenAPI says that a parameter for the header is to be ignored.
#[cfg(feature = "intake-openapi")]
pub(crate) fn is_described_elsewhere(name: &str) -> bool {
    DESCRIBED_ELSEWHERE.iter().any(|header| header.eq_ignore_ascii_case(name))
}

/// Whether `value` arrives as it is: visible ASCII with blanks only between.
pub(crate) fn is_value(value: &str) -> bool {
    let visible = |byte: u8| matches!(byte, b' ' | b'\t' | 0x21..=0x7e);
    value.bytes().all(visible) && value.trim_matches([' ', '\t']) == value
}

#[cfg(test)]
mod tests {
    use super::{is_reserved, is_token, is_value};

    #[test]
    fn a_header_name_is_a_token() {
        for name in ["X-Trace", "a", "x_y", "!#$%&'*+-.^_`|~"] {
            assert!(is_token(name), "{name}");
        }
        for name in ["", "a b", "a:b", "a\r\nb", "é", "a\"", "(a)", "a/b", "a\0"] {
            assert!(!is_token(name), "{name:?}");
        }
    }

    #[test]
    fn transport_forwarding_credential_and_override_headers_are_the_hosts() {
        for name in [
            "Host",
            "Content-Length",
            "Connection",
            "Transfer-Encoding",
            "Forwarded",
            "X-Forwarded-For",
            "x-forwarded-anything",
            "Via",
            "Authorization",
            "AUTHORIZATION",
            "Cookie",
            "Proxy-Authorization",
            "Proxy-Anything",
            "X-HTTP-Method-Override",
            "CF-Connecting-IP",
            "cf-worker",
            "X-Real-IP",
            "Sec-Fetch-Site",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["X-Request-Id", "If-Match", "Idempotency-Key", "Range", "Prefer", "cf"] {
            assert!(!is_reserved(name), "{name}");
        }
    }

    #[test]
    fn a_header_value_has_no_line_end_and_no_outer_blank() {
        for value in ["", "a", "a b", "a\tb", "~!@"] {
            assert!(is_value(value), "{value:?}");
        }
        for value in ["a\r\nX: y", "a\n", "\r", " a", "a ", "\ta", "é", "a\0", "\u{7f}"] {
            assert!(!is_value(value), "{value:?}");
        }
    }
}
