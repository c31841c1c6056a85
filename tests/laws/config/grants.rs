//! Who is granted what.

use mycelium::{
    mcp::{Actor, Principal},
    runtime::access::Grant,
};

use super::decode;

const GRANTS: &str = r#"
[grants.everyone]
demo = "read"
[grants.role.engineer]
petstore = "write"
demo = "none"
[grants.member.ada]
petstore = "read"
[grants.member.dev]
notes = "read"
[grants.agent.deployer]
notes = "write"
[grants.key.ci]
petstore = "read"
[grants.dev]
petstore = "write"
notes = "write"
[grants.service]
notes = "read"
[connections.petstore]
type = "openapi"
server = "https://petstore.example"
[connections.notes]
type = "files"
bucket = "NOTES"
"#;

fn grants(toml: &str, kind: &str, id: &str, role: Option<&str>) -> [Option<Grant>; 3] {
    let settings = decode(toml, &[]).unwrap();
    let principal = Principal::new(Actor::of(kind, id).unwrap());
    let principal = role.into_iter().fold(principal, |principal, role| principal.role(role));
    let grants = settings.grants.of(&principal);
    ["demo", "petstore", "notes"].map(|module| grants.get(module))
}

#[test]
fn nothing_is_granted_that_is_not_written() {
    for kind in ["member", "agent", "team-key"] {
        assert_eq!(grants("", kind, "x", Some("engineer")), [None; 3]);
    }
    assert_eq!(grants("[auth]\ndev = true", "member", "dev", None), [None; 3]);
}

#[test]
fn an_actors_grants_stand_over_its_roles_and_those_over_everyones() {
    use Grant::{None as No, Read, Write};
    let of = |kind, id, role| grants(GRANTS, kind, id, role);
    assert_eq!(of("member", "bob", None), [Some(Read), None, None]);
    assert_eq!(of("member", "bob", Some("engineer")), [Some(No), Some(Write), None]);
    assert_eq!(of("member", "ada", Some("engineer")), [Some(No), Some(Read), None]);
    assert_eq!(of("agent", "deployer", None), [Some(Read), None, Some(Write)]);
    assert_eq!(of("team-key", "ci", None), [Some(Read), Some(Read), None]);
    for (kind, id) in [("agent", "ada"), ("team-key", "deployer"), ("member", "ci")] {
        assert_eq!(of(kind, id, None), [Some(Read), None, None], "{kind} {id}");
    }
}

#[test]
fn a_role_is_a_members_and_gives_nothing_to_others() {
    for kind in ["agent", "team-key"] {
        let with = grants(GRANTS, kind, "x", Some("engineer"));
        assert_eq!(with, [Some(Grant::Read), None, None], "{kind}");
    }
}

#[test]
fn only_the_flag_makes_a_member_named_dev_the_developer() {
    let dev = format!("{GRANTS}[auth]\ndev = true");
    assert_eq!(
        grants(&dev, "member", "dev", None),
        [Some(Grant::Read), Some(Grant::Write), Some(Grant::Write)]
    );
    let without = [Some(Grant::Read), None, Some(Grant::Read)];
    assert_eq!(grants(GRANTS, "member", "dev", None), without);
    assert_eq!(grants(&dev, "agent", "dev", None), [Some(Grant::Read), None, None]);
}

#[test]
fn workers_that_bind_this_one_have_what_is_written_for_them_alone() {
    let grants = decode(GRANTS, &[]).unwrap().grants.of_service();
    assert_eq!(grants.get("notes"), Some(Grant::Read));
    assert_eq!((grants.get("demo"), grants.get("petstore")), (None, None));
}

#[test]
fn stored_grants_do_what_the_owner_lets_them_and_no_more() {
    use Grant::{None as No, Read, Write};
    let stored = [("demo", Write), ("petstore", No), ("notes", Read)].into_iter().collect();
    let bob = Principal::new(Actor::of("member", "bob").unwrap()).role("engineer");
    let under = |word: &str| {
        let rule = if word.is_empty() { String::new() } else { format!("session = '{word}'\n") };
        let settings = decode(
            &GRANTS.replace("[grants.everyone]", &format!("[grants]\n{rule}[grants.everyone]")),
            &[],
        );
        let grants = settings.unwrap().grants.under(&bob, &stored);
        ["demo", "petstore", "notes"].map(|module| grants.get(module))
    };
    let written = [Some(No), Some(Write), None];
    assert_eq!((under(""), under("off")), (written, written));
    assert_eq!(under("narrow"), [Some(No), Some(No), None]);
    assert_eq!(under("set"), [Some(Write), Some(No), Some(Read)]);
    for wrong in ["'on'", "true", "'Set'", "{ demo = 'read' }"] {
        let told = decode(&format!("[grants]\nsession = {wrong}"), &[]).unwrap_err();
        assert!(told[0].contains("off or narrow or set"), "{told:?}");
    }
}
