//! A session over one runtime: the `execute` tool, and tools beside it.

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
};

use futures::{FutureExt, future::LocalBoxFuture};
use serde_json::{Value, json};

use super::{Authority, CallResult, Listing, McpExecutionContext, McpSession, McpTool, Peer};
use crate::{
    failure::{Failure, bounded},
    mcp::{
        Principal,
        wire::{RpcError, code, coded},
    },
    operation::{Access, Cancellation, Catalog, Context, ContextBuilder, Signal, Trace},
    runtime::{
        Acquisition, Answer, ExecuteTool, Lease, LeasedTool, Mycelium, ToolCall,
        access::{Grants, Unnamed, standing_grant},
        last_part,
    },
};

/// A session over a runtime that others may share.
#[derive(Clone)]
pub struct RuntimeSession {
    id: String,
    principal: Principal,
    runtime: Mycelium,
    tools: Vec<Rc<dyn McpTool>>,
    direct_tools: bool,
    described: Rc<RefCell<Option<Described>>>,
}

/// A description that was made, and what of.
struct Described {
    /// Weak, and so its address is nobody else's for as long as this is kept.
    catalog: Weak<Catalog>,
    grants: Option<Rc<Grants>>,
    text: Rc<str>,
}

impl RuntimeSession {
    /// The session named `id`, over `runtime`.
    #[must_use]
    pub fn new(id: impl Into<String>, principal: Principal, runtime: Mycelium) -> Self {
        let id = id.into();
        Self {
            id,
            principal,
            runtime,
            tools: Vec::new(),
            direct_tools: false,
            described: Rc::default(),
        }
    }

    /// With tools that speak the protocol themselves.
    #[must_use]
    pub fn tools(mut self, tools: Vec<Rc<dyn McpTool>>) -> Self {
        self.tools = tools;
        self
    }

    /// Lists the runtime's direct tools too, when `listed`.
    #[must_use]
    pub fn direct_tools(mut self, listed: bool) -> Self {
        self.direct_tools = listed;
        self
    }

    async fn lease(
        self,
        authority: Rc<Authority>,
        access: Option<McpExecutionContext>,
    ) -> Result<Lease, Failure> {
        let host = self.runtime.access();
        let trace = access.as_ref().and_then(|context| context.trace);
        let access = match access {
            Some(context) => Some(context.access.over(host)),
            None => authority
                .grants
                .as_ref()
                .map(|grants| host.clone().grants((**grants).clone()).unnamed(Unnamed::Refused)),
        };
        let acquisition = Acquisition {
            principal: Some(self.principal.key().into()),
            access: access.map(Rc::new),
            sources: authority.sources.clone(),
            trace,
        };
        self.runtime.acquire_as(acquisition).await
    }

    async fn listing(self, authority: Rc<Authority>) -> Result<Listing, Failure> {
        let lease = self.clone().lease(Rc::clone(&authority), None).await?;
        let mut tools = vec![execute_tool(&self.description(&lease, &authority))];
        let direct = if self.direct_tools { lease.tools() } else { Vec::new() };
        tools.extend(direct.iter().map(direct_tool));
        tools.extend(self.tools.iter().map(|tool| tool.listed()));
        lease.release().await;
        Ok(Listing { tools })
    }

    async fn may_ask(
        self,
        tool: String,
        form: bool,
        authority: Rc<Authority>,
    ) -> Result<bool, Failure> {
        if let Some(own) = self.own(&tool) {
            return Ok(own.asks());
        }
        if !form {
            return Ok(false);
        }
        let direct_tools = self.direct_tools;
        let lease = self.lease(Rc::clone(&authority), None).await?;
        let direct = lease.tools().into_iter().find(|direct| direct_tools && direct.name() == tool);
        let asks = match direct {
            Some(direct) => direct.operation().labels().confirm,
            None => tool == ExecuteTool::NAME && asks(&lease, &authority),
        };
        lease.release().await;
        Ok(asks)
    }

    /// The tool of this name that speaks the protocol itself.
    fn own(&self, name: &str) -> Option<Rc<dyn McpTool>> {
        let named = |tool: &&Rc<dyn McpTool>| {
            tool.listed().get("name").and_then(Value::as_str) == Some(name)
        };
        self.tools.iter().find(named).cloned()
    }

    /// The description of `execute`, made once for a catalog and its grants.
    fn description(&self, lease: &Lease, authority: &Authority) -> Rc<str> {
        // What a host's own session grants hide isn't seen here: then it is made anew.
        let own = self.runtime.access().has_session_grants();
        let catalog = Rc::downgrade(lease.shared_catalog());
        let described = self.described.borrow();
        if let Some(made) = described.as_ref().filter(|_| !own)
            && made.catalog.ptr_eq(&catalog)
            && made.grants == authority.grants
        {
            return Rc::clone(&made.text);
        }
        drop(described);
        let text: Rc<str> = lease.execute_tool().description().into();
        let grants = authority.grants.clone();
        self.described.replace(Some(Described { catalog, grants, text: Rc::clone(&text) }));
        text
    }

    async fn called(
        self,
        call: ToolCall,
        context: McpExecutionContext,
    ) -> Result<CallResult, RpcError> {
        if let Some(tool) = self.own(&call.name) {
            return tool.call(call.arguments, context.peer).await;
        }
        let (authority, cancellation) =
            (Rc::clone(&context.authority), context.cancellation.clone());
        let (direct_tools, peer) = (self.direct_tools, Rc::clone(&context.peer));
        let trace = context.trace;
        let lease = self.lease(authority, Some(context)).await.map_err(unavailable)?;
        if call.name == ExecuteTool::NAME {
            return Ok(execute(&lease, &call, cancellation, &*peer).await);
        }
        let direct =
            lease.tools().into_iter().find(|tool| direct_tools && tool.name() == call.name);
        match direct {
            Some(tool) => Ok(direct_call(&tool, call, trace, cancellation.signal()).await),
            None => Err(no_tool(&call.name)),
        }
    }
}

/// A tool that isn't there is an error of the protocol, and no result.
fn no_tool(name: &str) -> RpcError {
    let name = bounded(name, 100);
    RpcError::params(format!("there is no tool {name:?}: tools/list has those there are"))
}

fn unavailable(failure: Failure) -> RpcError {
    RpcError::new(code::INTERNAL_ERROR, coded(&failure))
}

async fn execute(
    lease: &Lease,
    call: &ToolCall,
    cancellation: Cancellation,
    peer: &dyn Peer,
) -> CallResult {
    let prepared = match lease.execute_tool().prepare(call) {
        Ok(prepared) => prepared,
        Err(error) => return CallResult::failure(format!("input-invalid: {error}")),
    };
    // Not released afterwards: that would wait for work which nobody confirmed has stopped.
    let mut told = 0_u32;
    let last = last_part(prepared.telling_calls().execute(cancellation), |progress| {
        told = told.saturating_add(1);
        peer.progress(told.into(), None, Some(&progress.to_string()));
    });
    let last = last.await;
    last.map_or_else(|| CallResult::failure(coded(&Failure::Unknown {})), CallResult::part)
}

async fn direct_call(
    tool: &LeasedTool,
    call: ToolCall,
    trace: Option<Trace>,
    signal: Signal,
) -> CallResult {
    let context = Context::builder().tool_call_id(call.id).cancellation(signal);
    let context = trace.into_iter().fold(context, ContextBuilder::trace).build();
    match tool.call(call.arguments, context).await {
        Ok(Answer::Value(value)) => CallResult::value(&value),
        Ok(Answer::Refused(refusal)) => CallResult::failure(refusal.to_string()),
        Err(failure) => CallResult::failure(coded(&failure)),
    }
}

/// Whether a program may come to an operation that a person must confirm.
fn asks(lease: &Lease, authority: &Authority) -> bool {
    lease.catalog().entries().iter().filter(|entry| entry.operation().labels().confirm).any(
        |entry| {
            let granted = authority.grants.as_ref();
            let unnamed = if granted.is_some() { Unnamed::Refused } else { Unnamed::Full };
            let said = granted.and_then(|grants| grants.get(entry.module()));
            let grant = standing_grant(None, said, false, unnamed);
            grant.admits(entry.operation().labels().access).is_ok()
        },
    )
}

fn execute_tool(description: &str) -> Value {
    json!({
        "name": ExecuteTool::NAME,
        "title": "Execute a program",
        "description": description,
        "inputSchema": ExecuteTool::input_schema(),
        "annotations": {
            "title": "Execute a program",
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": false,
            "openWorldHint": true,
        },
    })
}

/// An unlabelled operation is a write, and a write may destroy.
fn direct_tool(tool: &LeasedTool) -> Value {
    let operation = tool.operation();
    let reads = operation.labels().access == Access::Read;
    json!({
        "name": tool.name(),
        "description": operation.description(),
        "inputSchema": operation.input_schema().document(),
        "annotations": { "readOnlyHint": reads, "destructiveHint": !reads },
    })
}

impl McpSession for RuntimeSession {
    fn id(&self) -> &str {
        &self.id
    }

    fn principal(&self) -> &Principal {
        &self.principal
    }

    fn tools(&self) -> Vec<Rc<dyn McpTool>> {
        self.tools.clone()
    }

    fn list(&self, authority: Rc<Authority>) -> LocalBoxFuture<'static, Result<Listing, Failure>> {
        self.clone().listing(authority).boxed_local()
    }

    fn asks(
        &self,
        tool: &str,
        form: bool,
        authority: Rc<Authority>,
    ) -> LocalBoxFuture<'static, Result<bool, Failure>> {
        self.clone().may_ask(tool.to_owned(), form, authority).boxed_local()
    }

    fn call(
        &self,
        call: ToolCall,
        context: McpExecutionContext,
    ) -> LocalBoxFuture<'static, Result<CallResult, RpcError>> {
        self.clone().called(call, context).boxed_local()
    }
}
