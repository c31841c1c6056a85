//! Many operations as one nested, callable `env`.

use super::{super::item::Item, Rendering};
use crate::failure::REASONS;

/// The declaration of these operations, which are in the order of their paths.
pub(super) fn declaration(operations: &[(&Item, &Rendering)]) -> String {
    let mut text: String =
        operations.iter().map(|(_, rendering)| rendering.types.as_str()).collect();
    if operations.iter().any(|(item, _)| item.may_refuse()) {
        text.push_str(&refusal());
    }
    text.push_str("declare const env: {\n");
    let mut open: Vec<&str> = Vec::new();
    for (item, rendering) in operations {
        let mut names: Vec<&str> = item.path().split('.').collect();
        let name = names.pop().unwrap_or_default();
        let shared = open.iter().zip(&names).take_while(|(left, right)| left == right).count();
        close(&mut text, &mut open, shared);
        for namespace in names.iter().skip(shared) {
            line(&mut text, open.len(), &format!("{namespace}: {{"));
            open.push(namespace);
        }
        member(&mut text, open.len(), name, rendering);
    }
    close(&mut text, &mut open, 0);
    text.push_str("};\n");
    text
}

fn close(text: &mut String, open: &mut Vec<&str>, kept: usize) {
    while open.len() > kept {
        open.pop();
        line(text, open.len(), "};");
    }
}

/// One line, `depth` namespaces deep.
fn line(text: &mut String, depth: usize, content: &str) {
    (0..=depth).for_each(|_| text.push_str("  "));
    text.push_str(content.trim_end());
    text.push('\n');
}

fn member(text: &mut String, depth: usize, name: &str, rendering: &Rendering) {
    line(text, depth, "/**");
    for comment in &rendering.comment {
        line(text, depth, &format!(" * {comment}"));
    }
    line(text, depth, " */");
    line(text, depth, &format!("{name}{};", rendering.signature));
}

/// What a call that isn't allowed gives, as it is made in [`failure`](crate::failure).
fn refusal() -> String {
    let reasons: Vec<String> = REASONS.iter().map(|row| format!("\"{}\"", row.code)).collect();
    format!(
        "/** What a call gives that isn't allowed; the operation did not run. */\n\
         interface AccessRefusal {{\n  module: string;\n  operation: string;\n  \
         reason: {};\n  message: string;\n}}\n",
        reasons.join(" | ")
    )
}
