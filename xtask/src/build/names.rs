//! Function names that a stack trace can be read by, and no longer than that.
//!
//! The compiler's names spell out every type parameter: of a release they were more than
//! a third, and half of what code there is when it is sent. What stays is the path.

/// The most bytes of one name.
const BYTES: usize = 80;

/// The name without type parameters and the compiler's digests, cut to [`BYTES`].
pub(super) fn legible(name: &str) -> String {
    let mut short = String::new();
    let mut depth = 0_usize;
    let mut arrow = false;
    for letter in name.chars() {
        match letter {
            '<' | '[' => depth = depth.saturating_add(1),
            // `->` closes nothing.
            '>' if arrow => {}
            '>' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && short.len() < BYTES => short.push(letter),
            _ => {}
        }
        arrow = letter == '-';
    }
    let path = short.replace("::::", "::");
    let path = path.trim_matches(':');
    // A name that begins with a type, `<T as Trait>::f`, is the type's: its path is within.
    match (name.strip_prefix('<'), path.contains("::")) {
        (Some(inner), false) => {
            let of = legible(inner.split([' ', '>']).next().unwrap_or_default());
            if of.is_empty() { path.to_owned() } else { format!("{of}::{path}") }
        }
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, legible};

    #[test]
    fn a_name_keeps_its_path_and_nothing_else() {
        for (name, wanted) in [
            ("mycelium[473bc4f8bd7f10f3]::json::parse", "mycelium::json::parse"),
            (
                "core[5d94]::ptr::drop_in_place::<alloc[1]::vec::Vec<u8>>",
                "core::ptr::drop_in_place",
            ),
            ("<js_sys[2949]::Promise>::new", "js_sys::Promise::new"),
            (
                "<mycelium[4]::json::Error as core[5]::fmt::Display>::fmt",
                "mycelium::json::Error::fmt",
            ),
            ("mycelium[4]::run::<fn() -> u8>::{closure#0}", "mycelium::run::{closure#0}"),
            ("gate externref shim", "gate externref shim"),
            ("", ""),
        ] {
            let short = legible(name);
            assert_eq!(short.replace("[", "").replace("]", ""), wanted, "{name}");
        }
        assert!(legible(&"a::".repeat(1_000)).len() <= BYTES);
    }
}
