//! Times, and pages that come and go.

use mycelium::limits::{
    BROWSER_CLAIM_MS, BROWSER_GRACE_MS, BROWSER_KEEPALIVE_MS, BROWSER_PAGES, BROWSER_REQUESTS,
    BROWSER_RUN_MS, STANDALONE_MS,
};
use serde_json::json;

use super::{SESSION, World, code, page::Page};

#[test]
fn without_a_page_a_command_waits_for_one_and_then_says_that_nothing_was_done() {
    let world = World::new();
    let mut adding = world.adding("milk");
    world.host.pass(BROWSER_GRACE_MS - 1);
    assert!(adding.end().is_none());
    world.host.pass(1);
    let failure = adding.end().unwrap().unwrap_err();
    assert_eq!(failure.code(), "app-unavailable");
    assert!(failure.to_string().contains("no page of the app is open"), "{failure}");

    let mut adding = world.adding("milk");
    world.host.pass(BROWSER_GRACE_MS - 1);
    let mut page = world.page();
    let request = page.asked().expect("a page that opens meanwhile hears what waits");
    let claim = page.take(&request);
    world.host.pass(1);
    assert_eq!(page.result(&request, &claim, 1), 204);
    assert_eq!(adding.end(), Some(Ok(json!(1))));
}

#[test]
fn a_command_that_no_open_page_takes_in_time_was_not_done() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    world.host.pass(BROWSER_GRACE_MS);
    world.host.pass(BROWSER_CLAIM_MS - BROWSER_GRACE_MS - 1);
    assert!(adding.end().is_none());
    world.host.pass(1);
    assert_eq!(code(adding.end()), "app-unavailable");
    let request = page.asked().unwrap();
    assert_eq!(page.claim(&request, &json!({})).0, 409, "it is over");
}

#[test]
fn a_command_that_was_taken_and_is_not_answered_in_time_may_have_been_done() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    for ms in [BROWSER_GRACE_MS, BROWSER_CLAIM_MS - BROWSER_GRACE_MS, BROWSER_RUN_MS - 1] {
        world.host.pass(ms);
        assert!(adding.end().is_none());
    }
    world.host.pass(1);
    assert_eq!(code(adding.end()), "outcome-unknown");
    assert_eq!(page.next("withdrawn").unwrap()["request"], json!(request), "the page may stop");
    assert_eq!(page.result(&request, &claim, 1), 409);
}

#[test]
fn a_page_that_goes_away_with_a_command_leaves_its_outcome_unknown() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    page.cut();
    // The page after a reload is another.
    let mut reloaded = world.page();
    assert!(reloaded.client != page.client && reloaded.claimed.is_empty());
    assert_eq!(reloaded.asked(), None, "nobody runs it a second time");
    assert_eq!(reloaded.result(&request, &claim, 1), 409);
    world.host.pass(BROWSER_GRACE_MS - 1);
    assert!(adding.end().is_none());
    world.host.pass(1);
    assert_eq!(code(adding.end()), "outcome-unknown");
}

#[test]
fn a_page_that_says_that_it_is_left_is_not_waited_for() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    assert_eq!(page.send(&request, &claim, &json!({"gone": true})).0, 204);
    assert_eq!(code(adding.end()), "outcome-unknown");

    let mut calling = world.calling("discover", json!({}));
    let request = page.asked().unwrap();
    let claim = page.claim(&request, &json!({})).1["claim"].as_str().unwrap().to_owned();
    assert_eq!(page.send(&request, &claim, &json!({"gone": true})).0, 204);
    assert_eq!(code(calling.end()), "app-unavailable", "to list them changes nothing");
}

#[test]
fn a_page_that_comes_back_in_time_goes_on_with_what_it_took() {
    let world = World::new();
    let mut page = world.page();
    let mut adding = world.adding("milk");
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    page.cut();
    world.host.pass(BROWSER_GRACE_MS - 1);
    let again = Page::open(&world.host, &world.ui, SESSION, Some(&page.client)).unwrap();
    assert_eq!((&again.client, &again.claimed), (&page.client, &vec![request.clone()]));
    world.host.pass(BROWSER_GRACE_MS);
    assert_eq!(again.result(&request, &claim, 1), 204);
    assert_eq!(adding.end(), Some(Ok(json!(1))));
}

#[test]
fn a_new_stream_of_a_page_takes_the_place_of_the_one_it_lost() {
    let world = World::new();
    let mut page = world.page();
    let mut again = Page::open(&world.host, &world.ui, SESSION, Some(&page.client)).unwrap();
    assert!(!page.read(), "the old one ends");
    world.host.pass(BROWSER_GRACE_MS);
    let _adding = world.adding("milk");
    assert!(again.asked().is_some(), "its end says nothing of the page");
}

#[test]
fn a_program_that_waits_no_longer_takes_its_command_back() {
    let world = World::new();
    let mut page = world.page();
    let adding = world.adding("milk");
    let request = page.asked().unwrap();
    let claim = page.take(&request);
    drop(adding);
    assert_eq!(page.next("withdrawn").unwrap()["request"], json!(request));
    assert_eq!(page.result(&request, &claim, 1), 409);
}

#[test]
fn pages_and_commands_of_a_session_are_bounded() {
    let world = World::new();
    let pages: Vec<Page> = (0..BROWSER_PAGES).map(|_| world.page()).collect();
    let more = || Page::open(&world.host, &world.ui, SESSION, None);
    assert_eq!(more().err(), Some(429));
    let known = Page::open(&world.host, &world.ui, SESSION, Some(&pages[0].client));
    assert!(known.is_ok(), "a page that there is comes back");
    drop((pages, known));
    world.host.pass(BROWSER_GRACE_MS);
    assert!(more().is_ok());

    let waiting: Vec<_> = (0..BROWSER_REQUESTS).map(|_| world.adding("milk")).collect();
    assert_eq!(code(world.adding("milk").end()), "app-unavailable");
    drop(waiting);
    assert!(world.adding("milk").end().is_none());
}

#[test]
fn a_silent_stream_is_kept_alive_so_that_a_page_that_is_gone_is_noticed() {
    let world = World::new();
    let mut page = world.page();
    assert!(page.read());
    world.host.pass(BROWSER_KEEPALIVE_MS);
    assert_eq!(page.comments(), 1);
}

#[test]
fn a_stream_ends_in_time_for_its_credential_to_be_shown_again() {
    let world = World::new();
    let mut page = world.page();
    assert!(page.read());
    world.host.pass(STANDALONE_MS - 1);
    assert!(page.read(), "not yet");
    world.host.pass(1);
    assert!(!page.read());
    let mut again = Page::open(&world.host, &world.ui, SESSION, Some(&page.client)).unwrap();
    let _adding = world.adding("milk");
    assert!(again.asked().is_some(), "the page goes on");
}

#[test]
fn a_page_that_reads_nothing_is_cut_and_comes_back_for_what_stands() {
    let world = World::new();
    let mut page = world.page();
    for _ in 0..300 {
        drop(world.adding("milk"));
    }
    let _stands = world.adding("milk");
    assert!(!page.read(), "what it left unread is bounded");
    let mut again = Page::open(&world.host, &world.ui, SESSION, Some(&page.client)).unwrap();
    assert!(again.asked().is_some() && again.asked().is_none());
}
