//! A session's grants that outlive the process.

use std::rc::Rc;

use mycelium::{
    mcp::MemoryStorage,
    port::Storage,
    runtime::access::{Grant, Grants, StoredGrants},
};
use serde_json::json;

fn grants(value: &serde_json::Value) -> Grants {
    Grants::parse(value).unwrap()
}

#[test]
fn what_is_set_replaces_all_that_stood_and_outlives_who_set_it() {
    let storage: Rc<dyn Storage> = Rc::new(MemoryStorage::default());
    let stored = StoredGrants::new(Rc::clone(&storage));
    assert_eq!(stored.standing(), Ok(Grants::default()));
    stored.replace(&grants(&json!({"notes": "read", "files": "none"}))).unwrap();
    stored.replace(&grants(&json!({"mail": "write"}))).unwrap();
    let again = StoredGrants::new(Rc::clone(&storage)).standing().unwrap();
    assert_eq!((again.get("mail"), again.get("notes")), (Some(Grant::Write), None));
    stored.replace(&Grants::default()).unwrap();
    assert_eq!(storage.list("").unwrap(), []);
}

#[test]
fn a_row_that_says_no_grants_grants_nothing_and_can_be_replaced() {
    let storage: Rc<dyn Storage> = Rc::new(MemoryStorage::default());
    let stored = StoredGrants::new(Rc::clone(&storage));
    for broken in ["", "[]", "{\"notes\":\"all\"}", "{\"notes\":\"read\""] {
        storage.put("session-grants", broken).unwrap();
        assert!(stored.standing().is_err(), "{broken}");
    }
    stored.replace(&grants(&json!({"notes": "read"}))).unwrap();
    assert_eq!(stored.standing().unwrap().get("notes"), Some(Grant::Read));
}
