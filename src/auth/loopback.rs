//! Which hosts are this machine.

use std::net::IpAddr;

/// Whether `host`, as a URL has it and without a port, names this machine.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = bare.parse::<IpAddr>() {
        return address.is_loopback();
    }
    host.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["", "localhost.evil.example", "10.0.0.1", "0.0.0.0", "127.0.0.1.nip.io"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
