//! The object that keeps all notes.

use serde::{Deserialize, Serialize};
use worker::{DurableObject, Env, Request, Response, SqlStorage, State, durable_object};

use crate::shelf::{Note, Order};

/// All notes, in the object's own database.
#[durable_object]
pub struct Notebook {
    sql: SqlStorage,
}

/// One count, as the database gives it.
#[derive(Deserialize)]
struct Counted {
    count: u32,
}

/// One topic, as the database gives it.
#[derive(Deserialize, Serialize)]
struct Topic {
    topic: String,
}

impl DurableObject for Notebook {
    fn new(state: State, _: Env) -> Self {
        Self { sql: state.storage().sql() }
    }

    async fn fetch(&self, mut request: Request) -> worker::Result<Response> {
        self.sql.exec(
            "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, text TEXT NOT NULL)",
            None,
        )?;
        match request.json().await? {
            Order::Add { topic, text } => self.add(topic, text),
            Order::List { topic } => self.list(topic),
            Order::Remove { id } => self.remove(id),
            Order::Topics => self.topics(),
        }
    }
}

impl Notebook {
    fn add(&self, topic: String, text: String) -> worker::Result<Response> {
        let added = self.sql.exec(
            "INSERT INTO notes (topic, text) VALUES (?, ?) RETURNING id, topic, text",
            vec![topic.into(), text.into()],
        )?;
        Response::from_json(&added.one::<Note>()?)
    }

    fn list(&self, topic: String) -> worker::Result<Response> {
        let query = "SELECT id, topic, text FROM notes WHERE topic = ? ORDER BY id";
        let notes: Vec<Note> = self.sql.exec(query, vec![topic.into()])?.to_array()?;
        Response::from_json(&notes)
    }

    fn remove(&self, id: u32) -> worker::Result<Response> {
        let query = "DELETE FROM notes WHERE id = ? RETURNING 1 AS count";
        let removed: Vec<Counted> = self.sql.exec(query, vec![i64::from(id).into()])?.to_array()?;
        Response::from_json(&removed.iter().map(|row| row.count).sum::<u32>())
    }

    fn topics(&self) -> worker::Result<Response> {
        let query = "SELECT DISTINCT topic FROM notes ORDER BY topic";
        let topics: Vec<Topic> = self.sql.exec(query, None)?.to_array()?;
        let topics: Vec<String> = topics.into_iter().map(|row| row.topic).collect();
        Response::from_json(&topics)
    }
}
