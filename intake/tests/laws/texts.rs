//! Laws of recovery: a program is found in what surrounds it, and valid code
//! is never taken for a wrapping.

use super::{body, refusal};

#[test]
fn a_program_is_found_inside_of_something_else() {
    for source in [
        "```\nreturn 5\n```",
        "```js\nreturn 5\n```",
        "```js\r\nreturn 5\r\n```",
        "``` typescript copy\nreturn 5",
        "~~~js\nreturn 5\n~~~",
        "~~~js\nreturn 5",
        "~~~\nreturn 5\n~~~",
        "````JS\nreturn 5\n````",
        "Code:\n```js\nreturn 5\n```",
        "Program\n```js\nreturn 5\n```",
        "Input:\n```json\n{\"a\":1}\n```\nand\n```js\nreturn 5\n```",
        "```bash\nnpm i\n```\n```js\nreturn 5\n```\nprints\n```\n5\n```",
        "```json\n{\"code\": \"return 5\"}\n```",
        "{\"code\": \"return 5\"}",
        "{\"language\": \"javascript\", \"code\": \"return 5\"}",
        "{\"name\": \"execute\", \"arguments\": {\"code\": \"return 5\"}}",
        "{\"code\": \"```js\\nreturn 5\\n```\"}",
        "#!/usr/bin/env node\nreturn 5",
        "\n#!/usr/bin/env node\nreturn 5",
        "\u{FEFF}return 5",
    ] {
        assert_eq!(body(source).trim().trim_start_matches('\u{FEFF}'), "return 5", "{source}");
    }
}

#[test]
fn escaped_line_ends_are_line_ends_but_not_in_strings() {
    assert_eq!(body("const a = 1;\\nreturn a"), "const a = 1;\nreturn a");
    assert_eq!(body("const s = 'a\\nb';\\nreturn s"), "const s = 'a\\nb';\nreturn s");
    assert_eq!(body("const s = \\\"a\\\";\\nreturn s"), "const s = \"a\";\nreturn s");
    assert_eq!(body("{\"code\": \"const a = 1;\nreturn a\"}"), "const a = 1;\nreturn a");
}

#[test]
fn valid_code_is_never_taken_for_a_wrapping() {
    for source in [
        "const md = \"# T\\n```js\\nfoo()\\n```\\n\"; return md",
        "const lines = [\"```js\", \"foo()\", \"```\"];\nreturn lines",
        "const s = `\n\\`\\`\\`js\nx\n\\`\\`\\`\n`;\nreturn s",
        "return JSON.parse('{\"code\": \"return 1\"}')",
        "return 'a\\nb'",
        "// ```js\nreturn 1\n// ```",
    ] {
        assert_eq!(body(source), source);
    }
}

#[test]
fn what_holds_no_program_keeps_its_own_error() {
    for source in [
        "result = [x for x in range(3)]\nprint(result)",
        "Please list the files.",
        "```python\nprint(1)\n```",
    ] {
        assert_eq!(refusal(source).line, 1, "{source}");
    }
}
