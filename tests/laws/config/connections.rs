//! What is written of connections comes out as it was meant.

use mycelium::{
    config::{Connection, Reached, Ui},
    knapsack::{
        mcp::Protocol,
        openapi::{BigIntegers, Credential},
    },
    operation::Access,
};

use super::decode;

/// A text with a connection of each kind.
pub(super) const SOUND: &str = r#"
[connections.petstore]
type = "openapi"
server = "https://petstore.example/v1"
credential = { secret = "PETSTORE_TOKEN" }
timeout_ms = 5_000
big_integers = "string"

[connections.notes]
type = "files"
bucket = "NOTES"
prefix = "agents/7/"
patch = false

[connections.builder]
type = "computer"
service = "BUILDER"
confirm = true
namespace = ["computers"]
files = { bucket = "NOTES" }

[connections.remote]
type = "computer"
url = "https://remote.example/computer"
credential = { header = "X-Key", secret = "REMOTE_KEY" }

[connections.wiki]
type = "mcp"
url = "https://wiki.example/mcp/?team=7"
protocol = "stateless"
trust_annotations = false
timeout_ms = 9_000
sign_in = { token_url = "https://auth.example/token", client_id = "us", refresh_token = "WIKI_REFRESH" }
[connections.wiki.tools.create-page]
access = "write"
confirm = true
"#;

#[test]
fn a_connection_is_what_is_written() {
    let settings = decode(SOUND, &[]).unwrap();
    let of = |name: &str| &settings.connections[name];
    let Connection::OpenApi(petstore) = of("petstore") else { panic!("petstore is openapi") };
    assert_eq!(petstore.table, "tables/petstore.json");
    assert_eq!(petstore.server.to_string(), "https://petstore.example/v1");
    assert_eq!(petstore.credential, Credential::Bearer { secret: "PETSTORE_TOKEN".to_owned() });
    assert_eq!((petstore.timeout_ms, petstore.big_integers), (5_000, BigIntegers::Text));
    let Connection::Files(notes) = of("notes") else { panic!("notes is files") };
    assert_eq!((notes.bucket.as_str(), notes.prefix.as_str()), ("NOTES", "agents/7/"));
    assert!(!notes.patch);
    let Connection::Computer(builder) = of("builder") else { panic!("builder is a computer") };
    assert_eq!(builder.reached, Reached::Service("BUILDER".to_owned()));
    assert_eq!(builder.namespace, ["computers"]);
    assert!(builder.confirm && builder.files.as_ref().is_some_and(|files| files.patch));
    assert_eq!(of("petstore").secrets(), ["PETSTORE_TOKEN"]);
    assert_eq!(of("remote").secrets(), ["REMOTE_KEY"]);
    let Connection::Mcp(wiki) = of("wiki") else { panic!("wiki is an MCP server") };
    let server = &wiki.server;
    assert_eq!((&*server.id, &*server.name, server.timeout_ms), ("wiki", "wiki", 9_000));
    assert_eq!((server.protocol, server.trust_annotations), (Protocol::Stateless, false));
    assert_eq!(of("wiki").target(), "https://wiki.example/mcp/", "without its query");
    assert_eq!(of("wiki").secrets(), ["WIKI_REFRESH"]);
    let rule = server.tools["create-page"];
    assert!(rule.access == Some(Access::Write) && rule.confirm && !rule.hidden);
    assert!(of("notes").secrets().is_empty() && of("builder").secrets().is_empty());
}

#[test]
fn there_is_one_app_and_it_may_ask_a_person_before_every_command() {
    let app = |name: &str| format!("[connections.{name}]\ntype = 'ui'\nconfirm = true\n");
    let settings = decode(&app("app"), &[]).unwrap();
    assert_eq!(settings.connections["app"], Connection::Ui(Ui { confirm: true }));
    let plain = decode("[connections.app]\ntype = 'ui'", &[]).unwrap();
    assert_eq!(plain.connections["app"], Connection::Ui(Ui { confirm: false }));
    let errors = decode(&(app("app") + &app("other")), &[]).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("connections.other.type") && errors[0].contains("one connection"));
}

#[test]
fn a_credential_goes_where_it_is_said_to() {
    let cases = [
        ("secret = 'S'", Some(Credential::Bearer { secret: "S".to_owned() })),
        ("secret = 'S', scheme = 'Basic'", Some(Credential::Basic { secret: "S".to_owned() })),
        (
            "secret = 'S', scheme = 'Bearer', header = 'authorization'",
            Some(Credential::Bearer { secret: "S".to_owned() }),
        ),
        (
            "secret = 'S', header = 'X-Key'",
            Some(Credential::Header { name: "X-Key".to_owned(), secret: "S".to_owned() }),
        ),
        (
            "secret = 'S', query = 'key'",
            Some(Credential::Query { name: "key".to_owned(), secret: "S".to_owned() }),
        ),
        ("secret = 'S', scheme = 'Bearer', header = 'X-Key'", None),
        ("secret = 'S', scheme = 'Bearer', query = 'key'", None),
        ("secret = 'S', scheme = 'Token'", None),
        ("secret = 'S', header = 'X Key'", None),
        ("header = 'X-Key'", None),
        ("secret = 's'", None),
    ];
    for (written, expected) in cases {
        let toml = format!(
            "[connections.petstore]\ntype = 'openapi'\nserver = 'https://a.example'\ncredential = {{ {written} }}"
        );
        let read = decode(&toml, &[]).ok().map(|settings| {
            let Connection::OpenApi(openapi) = &settings.connections["petstore"] else {
                panic!("petstore is openapi")
            };
            openapi.credential.clone()
        });
        assert_eq!(read, expected, "{written}");
    }
}

#[test]
fn an_mcp_server_that_can_not_be_meant_is_refused() {
    let url = "url = 'https://a.example/mcp'";
    for wrong in [
        "url = 'http://a.example/mcp'".to_owned(),
        "url = 'https://a.example/mcp#x'".to_owned(),
        format!("{url}\ncredential = {{ secret = 'S', query = 'key' }}"),
        format!("{url}\ncredential = {{ secret = 'S', header = 'Mcp-Session-Id' }}"),
        format!("{url}\nsign_in = {{ token_url = 'https://b.example', client_id = 'c' }}"),
        format!("{url}\nsign_in = {{ client_id = 'c', client_secret = 'S' }}"),
        format!(
            "{url}\ncredential = {{ secret = 'S' }}\n\
             sign_in = {{ token_url = 'https://b.example', client_id = 'c', client_secret = 'S' }}"
        ),
        format!("{url}\nprotocol = 'sse'"),
        format!("{url}\ntools = {{ a = {{ access = 'none' }} }}"),
        format!("{url}\nheaders = {{ a = 'b' }}"),
        String::new(),
    ] {
        let toml = format!("[connections.wiki]\ntype = \"mcp\"\n{wrong}\n");
        assert!(decode(&toml, &[]).is_err(), "{wrong}");
    }
}

#[test]
fn a_pen_is_told_its_writer_its_bucket_and_its_people() {
    use mycelium::{
        config::PenWriter,
        pen::{Lang, Persona},
    };
    let toml = r#"
[connections.pen]
type = "pen"
bucket = "PENS"
writer = { url = "https://model.example/v1", model = "mp-1.5b", secret = "MODEL_TOKEN" }
[connections.pen.personas]
ink = ["member:ada"]
[connections.quill]
type = "pen"
bucket = "PENS"
writer = { binding = "AI", model = "@cf/x", timeout_ms = 5 }
default_lang = "node"
hosts = ["api.example:8443"]
reviewers = ["member:zhu"]
"#;
    let settings = decode(toml, &[]).unwrap();
    let Connection::Pen(pen) = &settings.connections["pen"] else { panic!("pen is a pen") };
    assert!(
        matches!(&pen.writer, PenWriter::Endpoint { secret: Some(secret), .. } if secret == "MODEL_TOKEN")
    );
    assert_eq!((pen.writer_ms, pen.default_lang), (60_000, Lang::Python));
    assert_eq!(pen.shared_lib, "factory/module-registry/shared-lib");
    let (ink, authority) = (Persona::new("ink").unwrap(), pen.authority());
    assert!(
        authority.may_act(Some("member:ada"), &ink) && !authority.may_act(Some("member:zhu"), &ink)
    );
    assert!(!authority.may_review(Some("member:ada")));
    let Connection::Pen(quill) = &settings.connections["quill"] else { panic!("quill is a pen") };
    assert!(matches!(&quill.writer, PenWriter::Binding { binding, .. } if binding == "AI"));
    assert_eq!((quill.writer_ms, quill.default_lang), (5, Lang::Node));
    assert_eq!(quill.hosts, ["api.example:8443"]);
    assert!(quill.authority().may_review(Some("member:zhu")));
}

#[test]
fn a_pens_files_hold_no_pens() {
    let with = |files: &str| {
        let toml = format!(
            "[connections.pen]\ntype = 'pen'\nbucket = 'PENS'\nshared_lib = 'lib/pens'\nwriter = {{ offline = true }}\nfiles = {{ {files} }}"
        );
        decode(&toml, &[]).map(drop)
    };
    for sound in [
        "bucket = 'OTHER'",
        "bucket = 'PENS', prefix = 'data'",
        "bucket = 'PENS', prefix = 'lib/other/'",
    ] {
        assert_eq!(with(sound), Ok(()), "{sound}");
    }
    for shared in [
        "",
        ", prefix = '.github'",
        ", prefix = 'factory/module-registry/inbox'",
        ", prefix = 'lib'",
        ", prefix = 'lib/pens/x'",
    ] {
        let errors = with(&format!("bucket = 'PENS'{shared}")).unwrap_err();
        assert!(errors[0].contains("a prefix that holds no pens"), "{shared}: {errors:?}");
    }
}
