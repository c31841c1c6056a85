//! MCP beside `createMcpHandler` of the npm package `agents`.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{clients, failure::Failure, measure, setup::Node, workspace::Workspace};

/// How many times the other side's requests per second ours are to be.
const GOALS: [(&str, f64); 3] =
    [("list, stateless", 1.5), ("list, 2025-11-25", 0.8), ("execute, stateless", 1.0)];

/// What came of one kind of request.
#[derive(Clone, Debug)]
pub(crate) struct Rate {
    what: String,
    /// Requests per second of ours, and of the other side.
    ours: f64,
    agents: f64,
    ratio: f64,
    /// Processor milliseconds of workerd for one of ours, and of the other side's.
    cpu: (f64, f64),
}

/// Brings the other side and measures both: the rates, and where the time of an execute goes.
pub(super) fn rates(workspace: &Workspace, node: &Node) -> Result<(Vec<Rate>, String), Failure> {
    let lists = workspace.root().join("benches").join("sides").join("agents");
    clients::apart(workspace, node, &lists, "agents")?;
    let told = measure::script(workspace, node, "mcp.mjs", &["bench"])?;
    let rows = told.get("rows").and_then(Value::as_array).cloned().unwrap_or_default();
    let rates: Option<Vec<Rate>> = rows.iter().map(read).collect();
    let misread = || Failure::step("read what mcp.mjs says", &told);
    let profile = told.get("profile").and_then(Value::as_str).unwrap_or_default().to_owned();
    let rates = rates.filter(|rates| !rates.is_empty()).ok_or_else(misread)?;
    Ok((rates, profile))
}

fn read(row: &Value) -> Option<Rate> {
    let number = |key: &str| row.get(key)?.as_f64();
    Some(Rate {
        what: row.get("what")?.as_str()?.to_owned(),
        ours: number("ours")?,
        agents: number("agents")?,
        ratio: number("ratio")?,
        cpu: (number("oursCpu")?, number("agentsCpu")?),
    })
}

/// The ratio that is compared from one measurement to the next: `tools/list`, stateless.
pub(super) fn tools_list_vs_agents(rates: &[Rate]) -> Option<f64> {
    rates.iter().find(|rate| rate.what == "list, stateless").map(|rate| rate.ratio)
}

/// One line for each.
pub(super) fn table(rates: &[Rate]) -> String {
    let mut text = format!(
        "{:<20} {:>8} {:>8} {:>6} {:>5} {:>8} {:>8}",
        "requests a second", "ours", "agents", "ratio", "goal", "ours ms", "agents ms"
    );
    for Rate { what, ours, agents, ratio, cpu } in rates {
        let goal = goal(what).map_or_else(String::new, |goal| format!("{goal:.1}"));
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "\n{what:<20} {ours:>8.0} {agents:>8.0} {ratio:>6.2} {goal:>5} {:>8.2} {:>8.2}",
            cpu.0, cpu.1
        );
    }
    text
}

fn goal(what: &str) -> Option<f64> {
    GOALS.iter().find(|(named, _)| *named == what).map(|(_, goal)| *goal)
}

/// Everything that is below its goal, by name.
pub(super) fn below(rates: &[Rate]) -> Vec<String> {
    let below = rates.iter().filter(|rate| goal(&rate.what).is_some_and(|goal| rate.ratio < goal));
    below.map(|rate| format!("{} is {:.2} of agents'", rate.what, rate.ratio)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Rate, below, tools_list_vs_agents};

    fn rate(what: &str, ratio: f64) -> Rate {
        Rate { what: what.to_owned(), ours: ratio, agents: 1.0, ratio, cpu: (1.0, 1.0) }
    }

    #[test]
    fn what_is_below_its_goal_is_named_and_what_has_none_isn_t() {
        let rates = [rate("list, stateless", 1.5), rate("execute, 2025-11-25", 0.1)];
        assert_eq!(below(&rates), Vec::<String>::new());
        assert_eq!(tools_list_vs_agents(&rates), Some(1.5));
        let below = below(&[rate("list, 2025-11-25", 0.79)]);
        assert_eq!(below, ["list, 2025-11-25 is 0.79 of agents'"]);
    }
}
