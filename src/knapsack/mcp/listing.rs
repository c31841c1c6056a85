//! All tools of a server, as they were last listed.

use std::{collections::BTreeSet, fmt, rc::Rc};

use serde_json::{Map, Value};

use super::{Standing, Tool, UpstreamError, answer::Deaf, line::Line, missed::Missed, name::names};
use crate::{
    json::{self, Digest},
    limits::{MCP_FRESH_MS, MCP_FRESHEST_MS, MCP_LIST_BYTES, MCP_PAGES, MCP_TOOLS},
};

/// The longest that a server may say its tools hold: a day.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1_000;

/// All tools of a server. Inert data: whoever has it may keep it.
#[derive(Clone)]
pub struct Listing {
    /// The tools, each with the name that code says.
    pub tools: Vec<(String, Rc<Tool>)>,
    /// When it was listed, in milliseconds since 1970.
    pub listed_ms: u64,
    /// For how many milliseconds it holds.
    pub fresh_ms: u64,
    text: Rc<str>,
    digest: Digest,
}

impl Listing {
    /// The listing of the tools in `text`, a JSON list as [`text`](Self::text) gives it.
    ///
    /// # Errors
    ///
    /// It is unusable: a tool without a name, or too many tools.
    pub fn read(text: &str, listed_ms: u64, fresh_ms: u64) -> Result<Self, UpstreamError> {
        let tools = json::parse(text).ok();
        let Some(Value::Array(tools)) = tools else {
            return Err(UpstreamError::unusable("what it lists isn't a list of tools"));
        };
        Self::of(tools, listed_ms, fresh_ms)
    }

    fn of(listed: Vec<Value>, listed_ms: u64, fresh_ms: u64) -> Result<Self, UpstreamError> {
        let mut seen = BTreeSet::new();
        let mut tools = Vec::new();
        for tool in &listed {
            let tool = Tool::read(tool)?;
            // Listed twice it is still one tool: calls go by the name.
            if seen.insert(tool.name.clone()) {
                tools.push(Rc::new(tool));
            }
        }
        let raw: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let tools = names(&raw).into_iter().zip(tools.iter().cloned()).collect();
        let listed = Value::Array(listed);
        let (text, digest) = (listed.to_string().into(), Digest::of(&listed));
        Ok(Self { tools, listed_ms, fresh_ms, text, digest })
    }

    /// The tools as the server listed them, as JSON.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Equal for equal lists.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Whether it is time to list them again.
    #[must_use]
    pub fn is_old(&self, now_ms: u64) -> bool {
        now_ms >= self.listed_ms.saturating_add(self.fresh_ms)
    }
}

impl fmt::Debug for Listing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Listing")
            .field("tools", &self.tools.len())
            .field("listed_ms", &self.listed_ms)
            .finish_non_exhaustive()
    }
}

/// Why there is no list of tools.
pub(super) enum Unlisted {
    /// A request of it came to nothing.
    Missed(Missed),
    /// What was listed is unusable.
    Unusable(UpstreamError),
}

impl From<Missed> for Unlisted {
    fn from(missed: Missed) -> Self {
        Self::Missed(missed)
    }
}

fn unusable(evidence: &str) -> Unlisted {
    Unlisted::Unusable(UpstreamError::unusable(evidence))
}

/// Lists all tools, page by page.
pub(super) async fn list(line: &Line, standing: &Standing) -> Result<Listing, Unlisted> {
    let mut tools = Vec::new();
    let (mut bytes, mut fresh_ms) = (0_usize, None);
    let mut cursors = BTreeSet::new();
    let mut cursor: Option<String> = None;
    for _ in 0..MCP_PAGES {
        let mut params = Map::new();
        if let Some(cursor) = cursor {
            params.insert("cursor".to_owned(), cursor.into());
        }
        let ask = line.ask("tools/list", params);
        let page = line.answer(standing, &ask, &Deaf).await?.result;
        bytes = bytes.saturating_add(page.to_string().len());
        let holds_ms = page.get("ttlMs").and_then(Value::as_u64);
        // The page that holds the shortest says for how long all do.
        fresh_ms = [fresh_ms, holds_ms].into_iter().flatten().min();
        let (listed, next) = read_page(page)?;
        tools.extend(listed);
        if tools.len() > MCP_TOOLS || bytes > MCP_LIST_BYTES {
            let most = format!("it lists more than {MCP_TOOLS} tools or {MCP_LIST_BYTES} bytes");
            return Err(unusable(&most));
        }
        cursor = next;
        match &cursor {
            None => {
                let now_ms = line.ports.host.clock.now_ms();
                let fresh_ms = fresh_ms.unwrap_or(MCP_FRESH_MS).clamp(MCP_FRESHEST_MS, LONGEST_MS);
                return Listing::of(tools, now_ms, fresh_ms).map_err(Unlisted::Unusable);
            }
            Some(next) if !cursors.insert(next.clone()) => {
                return Err(unusable("its pages of tools lead in a circle"));
            }
            Some(_) => {}
        }
    }
    Err(unusable("it lists its tools on too many pages"))
}

fn read_page(mut page: Value) -> Result<(Vec<Value>, Option<String>), Unlisted> {
    let next = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
    let next = next.filter(|cursor| !cursor.is_empty());
    match page.get_mut("tools").map(Value::take) {
        Some(Value::Array(tools)) => Ok((tools, next)),
        _ => Err(unusable("a page of its tools has no list `tools`")),
    }
}
