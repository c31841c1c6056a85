//! Wrong configurations, each with all that is said of it.

use proptest::prelude::*;

use super::decode;

/// A text, and every message it gets.
const WRONG: &[(&str, &[&str])] = &[
    ("[auth]\ndev = 'yes'", &["auth.dev (line 2) is \"yes\": true or false is accepted"]),
    (
        "[limit]\ntimeout_ms = 5",
        &[
            "limit (line 1) is unknown: auth, origins, limits, admission, log, grants or connections is accepted; the nearest is limits",
        ],
    ),
    (
        "[limits]\ntimeout = 5\ntimeout_ms = 0",
        &[
            "limits.timeout (line 2) is unknown: timeout_ms, grace_ms, cpu_ms, subrequests, code_bytes, calls, frame_bytes, flight_bytes, result_bytes, log_bytes, log_lines, snapshot_operations, description_bytes, approval_ms, max_connections or local_dev_unenforced is accepted; the nearest is timeout_ms",
            "limits.timeout_ms (line 3) is 0: a whole number from 1 to 900000 is accepted",
        ],
    ),
    (
        "[limits]\ntimeout_ms = -1\ncalls = 1.5\ngrace_ms = 1979-05-27\nlog_lines = '9'",
        &[
            "limits.timeout_ms (line 2) is a number, -1: a whole number from 1 to 900000 is accepted",
            "limits.grace_ms (line 4) is a date, without quotes: a whole number from 1 to 60000 is accepted",
            "limits.calls (line 3) is a number, 1.5: a whole number from 1 to 1000000 is accepted",
            "limits.log_lines (line 5) is \"9\": a whole number from 0 to 100000 is accepted",
        ],
    ),
    (
        "[limits]\nresult_bytes = 4096\nframe_bytes = 2048",
        &["limits.result_bytes is \"4096\": at most limits.frame_bytes, 2048, is accepted"],
    ),
    (
        "[limits]\nlocal_dev_unenforced = ['cpu', 'disk']",
        &[
            "limits.local_dev_unenforced[1] (line 2) is \"disk\": cpu or memory or output or cancel is accepted",
        ],
    ),
    (
        "[limits]\nlocal_dev_unenforced = ['cpu', 'cpu']",
        &[
            "limits.local_dev_unenforced (line 2) is a list: a list of cpu, memory, output and cancel, each at most once, is accepted",
        ],
    ),
    ("admission = 6", &["admission (line 1) is 6: a table is accepted"]),
    (
        "[origins]\nallowed = 'https://app.example'",
        &[
            "origins.allowed (line 2) is \"https://app.example\": a list, each scheme://host[:port], is accepted",
        ],
    ),
    (
        "[origins]\nallowed = ['app.example', 'https://app.example/x']",
        &[
            "origins.allowed[0] (line 2) is \"app.example\": scheme://host[:port] is accepted",
            "origins.allowed[1] (line 2) is \"https://app.example/x\": scheme://host[:port] is accepted",
        ],
    ),
    (
        "[auth.jwt]\nissuer = ''\njwks_url = 'http://login.example/keys'",
        &[
            "auth.jwt.issuer (line 2) is \"\": a text that isn't empty is accepted",
            "auth.jwt.audience (line 1) is missing: a text that isn't empty is needed",
            "auth.jwt.jwks_url (line 3) is \"http://login.example/keys\": a URL with https, or http on this machine, is accepted",
        ],
    ),
    (
        "[auth.keys.ci]\nkind = 'robot'\nid = 'ci'\nsecret = 'CI_KEY'",
        &["auth.keys.ci.kind (line 2) is \"robot\": member or agent or team-key is accepted"],
    ),
    (
        "[auth.keys.ci]\nkind = 'agent'\nid = 'ci'\nsecret = 'CI_KEY'",
        &[
            "CI_KEY is missing: the secret with the digest of the key \"ci\" (npx wrangler secret put CI_KEY) is needed",
        ],
    ),
    (
        "[auth.keys.ci]\nkind = 'agent'\nid = 'ci'\nsecret = 'hunter2'",
        &[
            "auth.keys.ci.secret (line 4) is a text, not repeated here: the name of a secret in capitals, such as PETSTORE_TOKEN, is accepted",
        ],
    ),
    (
        "[grants.everyone]\ndemo = 'Write'",
        &["grants.everyone.demo (line 2) is \"Write\": write or read or none is accepted"],
    ),
    (
        "[grants.role.engineer]\ndmeo = 'write'",
        &["grants.role.engineer.dmeo (line 2) is unknown: demo is accepted; the nearest is demo"],
    ),
    (
        "[grants.roles.engineer]\ndemo = 'write'",
        &[
            "grants.roles (line 1) is unknown: session, everyone, role, member, agent, key, dev or service is accepted; the nearest is role",
        ],
    ),
    (
        "[connections.petstore]\nserver = 'https://petstore.example'",
        &[
            "connections.petstore.type (line 1) is missing: openapi or files or computer or mcp or ui or pen is needed",
        ],
    ),
    (
        "[connections.petstore]\ntype = 'open-api'",
        &[
            "connections.petstore.type.open-api (line 2) is unknown: openapi, files, computer, mcp, ui or pen is accepted; the nearest is openapi",
        ],
    ),
    (
        "[connections.petstore]\ntype = 'openapi'\nsever = 'https://petstore.example'",
        &[
            "connections.petstore.sever (line 3) is unknown: server, table, credential, timeout_ms, big_integers or type is accepted; the nearest is server",
            "connections.petstore.server (line 1) is missing: a server's URL such as https://api.example/v1 (http on this machine only; no query, no fragment) is needed",
        ],
    ),
    (
        "[connections.shop]\ntype = 'openapi'\nserver = 'https://shop.example'",
        &[
            "connections.shop.table is \"tables/shop.json\": one of the tables tables/petstore.json is accepted",
        ],
    ),
    (
        "[connections.petstore]\ntype = 'openapi'\nserver = 'http://petstore.example'\ncredential = 'sk-live'",
        &[
            "connections.petstore.server (line 3) is \"http://petstore.example\": a server's URL such as https://api.example/v1 (http on this machine only; no query, no fragment) is accepted",
            "connections.petstore.credential (line 4) is a text, not repeated here: a table is accepted",
        ],
    ),
    (
        "[connections.petstore]\ntype = 'openapi'\nserver = 'https://petstore.example'\ncredential = { secret = 'TOKEN', header = 'X-Key', query = 'key' }",
        &[
            "connections.petstore.credential (line 4) is a table: a secret with either scheme, header or query (the header beside a scheme may only be Authorization) is accepted",
        ],
    ),
    (
        "[connections.notes]\ntype = 'files'\nbucket = 'notes'\nprefix = '../other'\npatch = 1",
        &[
            "connections.notes.bucket (line 3) is \"notes\": the name of a binding in wrangler.toml, in capitals, is accepted",
            "connections.notes.prefix (line 4) is \"../other\": a path such as agents/7, without empty, . or .. parts and of at most 512 bytes, is accepted",
            "connections.notes.patch (line 5) is 1: true or false is accepted",
        ],
    ),
    (
        "[connections.builder]\ntype = 'computer'\nservice = 'BUILDER'\nurl = 'https://builder.example'",
        &[
            "connections.builder (line 1) is a table: a computer with either service or url is accepted",
        ],
    ),
    (
        "[connections.builder]\ntype = 'computer'\nurl = 'https://key@builder.example'",
        &[
            "connections.builder.url (line 3) is \"https://key@builder.example\": a URL with https and without query, fragment or user, is accepted",
        ],
    ),
    (
        "[connections.builder]\ntype = 'computer'\nservice = 'BUILDER'\ncredential = { secret = 'TOKEN' }",
        &[
            "connections.builder.credential (line 1) is a table: a credential in a header, of a computer with url, is accepted",
        ],
    ),
    (
        "[connections.\"pet-store\"]\ntype = 'files'\nbucket = 'FILES'\n[connections.demo]\ntype = 'files'\nbucket = 'FILES'",
        &[
            "connections.demo (line 4) is \"demo\": a name that no module has which is built in is accepted",
            "connections.pet-store (line 1) is \"pet-store\": a name that code can say (letters, digits and _, none that JavaScript or this host uses) is accepted",
        ],
    ),
    (
        "[connections.pen]\ntype = 'pen'\nbucket = 'PENS'\nwriter = { url = 'https://m.example', offline = true }",
        &[
            "connections.pen.writer (line 1) is a table: a writer with either url and model, or binding and model, or offline = true alone; secret goes with url is accepted",
        ],
    ),
    (
        "[connections.pen]\ntype = 'pen'\nbucket = 'PENS'\nwriter = { offline = true }\nhosts = ['https://a.example']\nreviewers = ['ada']\ndefault_lang = 'ruby'\nshared_lib = '../x'",
        &[
            "connections.pen.default_lang (line 7) is \"ruby\": python or node or shell is accepted",
            "connections.pen.shared_lib (line 8) is \"../x\": a path such as library/pens, without empty, . or .. parts, is accepted",
            "connections.pen.hosts[0] (line 5) is \"https://a.example\": a host such as api.example or api.example:8443, in small letters, is accepted",
            "connections.pen.reviewers[0] (line 6) is \"ada\": member:ID, agent:ID or team-key:ID is accepted",
        ],
    ),
    ("[auth]\ndev = true\ndev = false", &["mycelium.toml (line 3) can't be read: duplicate key"]),
    ("[auth\ndev = maybe", &["mycelium.toml (line 1) can't be read: unclosed table, expected `]`"]),
];

#[test]
fn each_wrong_configuration_gets_every_message_it_should() {
    let mut strayed = Vec::new();
    for (toml, expected) in WRONG {
        let errors = decode(toml, &[]).err().unwrap_or_default();
        if errors != *expected {
            strayed.push(format!("{toml}\n  got  {errors:#?}\n  want {expected:#?}"));
        }
    }
    assert!(WRONG.len() >= 20);
    assert!(strayed.is_empty(), "{}", strayed.join("\n"));
}

#[test]
fn a_variable_is_named_as_itself_and_stands_over_the_file() {
    let toml = "[limits]\ntimeout_ms = 5_000\nmax_connections = 3";
    let settings = decode(toml, &[("MYCELIUM_TIMEOUT_MS", "7000")]).unwrap();
    assert_eq!((settings.limits.timeout_ms, settings.max_connections), (7_000, Some(3)));
    let errors = decode(toml, &[("MYCELIUM_TIMEOUT_MS", "7s"), ("MYCELIUM_JWT_AUDIENCE", "x")]);
    let expected = [
        "auth.jwt.issuer is missing: a text that isn't empty is needed",
        "auth.jwt.jwks_url is missing: a URL with https, or http on this machine, is needed",
        "MYCELIUM_TIMEOUT_MS is \"7s\": a whole number from 1 to 900000 is accepted",
    ];
    assert_eq!(errors.unwrap_err(), expected);
}

#[test]
fn a_key_that_is_wrong_is_named_and_nothing_of_it_is_repeated() {
    let toml = "[auth.keys.ci]\nkind = 'agent'\nid = 'ci'\nsecret = 'CI_KEY'";
    let errors = decode(toml, &[("CI_KEY", "hunter2")]).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("CI_KEY is ") && !errors[0].contains("hunter2"), "{errors:?}");
    let digest = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    let keys = decode(toml, &[("CI_KEY", digest)]).unwrap().keys;
    assert_eq!(keys.find("foo").unwrap().principal.key(), "agent:ci");
    let both = format!(r#"{{"ci":{{"sha256":"{digest}","kind":"agent","id":"other"}}}}"#);
    let errors = decode(toml, &[("CI_KEY", digest), ("MYCELIUM_API_KEYS", &both)]).unwrap_err();
    assert!(errors[0].contains("another of this name"), "{errors:?}");
}

#[test]
fn what_is_huge_deep_or_endless_is_refused_in_few_words() {
    let long = format!("[auth]\nscope = \"{}\"", "x ".repeat(100_000));
    let errors = decode(&long, &[]).unwrap_err();
    assert!(errors.len() == 1 && errors[0].len() < 300, "{errors:?}");
    let errors = decode(&" ".repeat(256 * 1_024 + 1), &[]).unwrap_err();
    assert_eq!(errors, ["mycelium.toml can't be read: it has 262145 bytes, the limit is 262144"]);
    let deep = format!("x = {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(!decode(&deep, &[]).unwrap_err().is_empty());
    let many: String = (0..5_000).map(|key| format!("key{key} = 1\n")).collect();
    let errors = decode(&many, &[]).unwrap_err();
    assert_eq!(errors.len(), 101);
    assert_eq!(errors[100], "mycelium.toml has 4900 errors more");
    assert!(decode(&format!("{} = 1", "k".repeat(100_000)), &[]).unwrap_err()[0].len() < 400);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\]{}a-z0-9_=.,'\"\\n #é-]{0,200}") {
        let _ = decode(&text, &[]);
    }

    #[test]
    fn no_cut_of_a_sound_text_makes_it_panic(at in 0_usize..600) {
        let sound = super::connections::SOUND;
        if let Some(cut) = sound.get(..at.min(sound.len())) {
            let _ = decode(cut, &[]);
        }
    }
}
