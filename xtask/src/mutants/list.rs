//! The mutations there are: each breaks one law that a careless change could break too.

use super::{
    mutation::Mutation,
    trial::Suite::{Laws, Unit},
};

/// All of them, by what they break.
pub(super) const MUTATIONS: &[Mutation] = &[
    Mutation {
        name: "don't look at the grant",
        file: "src/runtime/access/check.rs",
        edits: &[("let grant = self.grant(call, moment).await?;", "let grant = Grant::Write;")],
        suite: Laws,
        test: "access::grants::a_revoked_grant_applies_to_the_very_next_call",
    },
    Mutation {
        name: "take any member named dev for the developer",
        file: "src/config/grants.rs",
        edits: &[("if self.dev && *principal", "if *principal")],
        suite: Laws,
        test: "config::grants::only_the_flag_makes_a_member_named_dev_the_developer",
    },
    Mutation {
        name: "lay a role's grants over its member's",
        file: "src/config/grants.rs",
        edits: &[(
            "    for layer in layers {",
            "    let all_layers: Vec<_> = layers.into_iter().collect();\n    for layer in all_layers.into_iter().rev() {",
        )],
        suite: Laws,
        test: "config::grants::an_actors_grants_stand_over_its_roles_and_those_over_everyones",
    },
    Mutation {
        name: "let an unknown key pass",
        file: "src/config/form.rs",
        edits: &[(
            "if !known.contains(&name.as_str())",
            "if known.is_empty() && !known.contains(&name.as_str())",
        )],
        suite: Laws,
        test: "config::wrong::each_wrong_configuration_gets_every_message_it_should",
    },
    Mutation {
        name: "repeat what may be a secret",
        file: "src/config/rule.rs",
        edits: &[("const MASKED: bool = true;", "const MASKED: bool = false;")],
        suite: Laws,
        test: "config::wrong::each_wrong_configuration_gets_every_message_it_should",
    },
    Mutation {
        name: "let the file stand over the variables",
        file: "src/config/node.rs",
        edits: &[(
            "*self = Self { value: Value::Variable(text), line: None, variable: Some(variable) };",
            "if self.line.is_none() { *self = Self { value: Value::Variable(text), line: None, variable: Some(variable) }; }",
        )],
        suite: Laws,
        test: "config::wrong::a_variable_is_named_as_itself_and_stands_over_the_file",
    },
    Mutation {
        name: "ask nobody",
        file: "src/runtime/access/check.rs",
        edits: &[("Ruling::Ask => self.ask(call, person_ms).await?,", "Ruling::Ask => {}")],
        suite: Laws,
        test: "access::person::every_answer_but_agreement_refuses",
    },
    Mutation {
        name: "look at the input before the person is asked",
        file: "src/runtime/calls/perform.rs",
        edits: &[
            ("    access.decide(&facts).await.decision?;\n", ""),
            (
                "decode(entry.operation()).map_err(failed)?;\n",
                "decode(entry.operation()).map_err(failed)?;\n\
                 access.decide(&facts).await.decision?;\n",
            ),
        ],
        suite: Laws,
        test: "runtime::calls::a_person_is_asked_before_the_input_is_looked_at",
    },
    Mutation {
        name: "keep a refusal out of the outcome",
        file: "src/runtime/calls/mod.rs",
        edits: &[("self.record.list(refusal);", "drop(refusal);")],
        suite: Laws,
        test: "runtime::calls::a_refusal_is_the_calls_ordinary_answer_and_is_listed_and_told",
    },
    Mutation {
        name: "charge people's time to the execution",
        file: "src/runtime/access/human_time.rs",
        edits: &[("elapsed_ms.saturating_sub(self.waited_ms())", "elapsed_ms")],
        suite: Laws,
        test: "access::human_time::a_deadline_stands_still_while_a_person_is_asked",
    },
    Mutation {
        name: "clamp an explicit capacity",
        file: "src/runtime/admission/policy.rs",
        edits: &[(
            "Some(capacity) => within(CAPACITY, capacity, AdmissionOptions::CAPACITIES)?,",
            "Some(capacity) => within(CAPACITY, capacity, AdmissionOptions::CAPACITIES)?.min(32),",
        )],
        suite: Laws,
        test: "admission::policy::an_explicit_capacity_is_never_clamped",
    },
    Mutation {
        name: "start an expired waiter",
        file: "src/runtime/admission/transition.rs",
        edits: &[("else { stay.refusal(now_ms) };", "else { None };")],
        suite: Laws,
        test: "admission::queue::an_expired_waiter_never_starts_though_its_timer_is_late",
    },
    Mutation {
        name: "serve the last who came first",
        file: "src/runtime/admission/transition.rs",
        edits: &[("self.queue.pop_first()", "self.queue.pop_last()")],
        suite: Laws,
        test: "admission::queue::who_comes_first_is_served_first",
    },
    Mutation {
        name: "lose a permit with its waiter",
        file: "src/runtime/admission/semaphore.rs",
        edits: &[(
            "            SemaphoreEvent::Settle(self.ticket)\n",
            "            SemaphoreEvent::Cancel(self.ticket)\n",
        )],
        suite: Laws,
        test: "admission::interleavings::every_interleaving_keeps_the_laws_of_the_queue",
    },
    Mutation {
        name: "start the time again at admission",
        file: "src/runtime/execution/engine.rs",
        edits: &[(
            "let budget = self.budget(deadline, &course.human_time);",
            "let deadline = Deadline::new(self.ports.clock.now_ms(), self.limits.timeout_ms);\n\
             let budget = self.budget(deadline, &course.human_time);",
        )],
        suite: Laws,
        test: "runtime::execution::time_in_the_queue_counts_and_cpu_is_cut_to_what_remains",
    },
    Mutation {
        name: "let a permit go when its program is aborted",
        file: "src/runtime/execution/custody.rs",
        edits: &[(
            "let ended = sandbox.run(SandboxRequest { limits, ..request.clone() }).await;\n",
            "let running = sandbox.run(SandboxRequest { limits, ..request.clone() });\n\
                 let over = request.cancellation.cancelled();\n\
                 pin_mut!(over);\n\
                 let ended = match select(running, over).await {\n\
                     Either::Left((ended, _)) => ended,\n\
                     Either::Right((_, running)) => { drop(permit); return running.await }\n\
                 };\n",
        )],
        suite: Laws,
        test: "runtime::cancelling::an_unacknowledged_abort_lets_nobody_in",
    },
    Mutation {
        name: "say that unacknowledged work has stopped",
        file: "src/runtime/execution/custody.rs",
        edits: &[(
            "(failed(cause, Some(evidence)), Some(false))",
            "(failed(cause, Some(evidence)), Some(true))",
        )],
        suite: Laws,
        test: "runtime::cancelling::an_operation_that_takes_longer_than_the_grace_is_not_said_to_have_stopped",
    },
    Mutation {
        name: "let a late success beat a cancellation",
        file: "src/runtime/execution/custody.rs",
        edits: &[(
            "return match cancellation.cause() {",
            "return match cancellation.cause().filter(|_| ended.answer.is_err()) {",
        )],
        suite: Laws,
        test: "runtime::execution::a_late_success_never_beats_a_cancellation",
    },
    Mutation {
        name: "run a failed program again",
        file: "src/runtime/execution/custody.rs",
        edits: &[(
            "let ended = sandbox.run(SandboxRequest { limits, ..request.clone() }).await;\n",
            "let again = SandboxRequest { limits: limits.clone(), ..request.clone() };\n\
             let mut ended = sandbox.run(SandboxRequest { limits, ..request.clone() }).await;\n\
             if ended.answer.is_err() { ended = sandbox.run(again).await; }\n",
        )],
        suite: Laws,
        test: "runtime::execution::whatever_comes_of_it_a_program_is_run_once",
    },
    Mutation {
        name: "run a failed operation again",
        file: "src/runtime/calls/mod.rs",
        edits: &[(
            "let answer = perform(&self.entry, context.clone(), &self.access, decode, give).await;\n",
            "let mut answer = perform(&self.entry, context.clone(), &self.access, decode, give).await;\n\
             if matches!(answer, Err(Unanswered::Failed(..))) {\n\
                 answer = perform(&self.entry, context.clone(), &self.access, decode, give).await;\n\
             }\n",
        )],
        suite: Laws,
        test: "runtime::execution::an_operation_is_run_once_whatever_comes_of_it",
    },
    Mutation {
        name: "count operations from 1",
        file: "src/runtime/calls/mod.rs",
        edits: &[(
            "self.facts.clone().operation_ordinal(ordinal)",
            "self.facts.clone().operation_ordinal(ordinal.saturating_add(1))",
        )],
        suite: Laws,
        test: "runtime::calls::one_counter_spans_all_modules_and_counts_what_came_to_nothing",
    },
    Mutation {
        name: "take a bound from the model",
        file: "src/runtime/tool/prepare.rs",
        edits: &[("if arguments.keys().any(|key| key != \"code\") {", "if false {")],
        suite: Laws,
        test: "runtime::limits::nothing_that_a_guest_sends_widens_a_bound",
    },
    Mutation {
        name: "take an answer over the budget",
        file: "src/runtime/execution/result.rs",
        edits: &[("if text.len() > limit {", "if false {")],
        suite: Laws,
        test: "runtime::execution::what_a_bare_sandbox_answers_is_held_to_the_budget_and_to_json",
    },
    Mutation {
        name: "don't look at what an operation answers",
        file: "src/operation/callable.rs",
        edits: &[(
            "let Some(schema) = &self.output else",
            "let Some(schema) = self.output.as_ref().filter(|_| false) else",
        )],
        suite: Unit,
        test: "operation::callable::tests::an_answer_is_validated_and_never_altered",
    },
    Mutation {
        name: "be certain of a map without looking what must be in it",
        file: "src/schema/certain/object.rs",
        edits: &[(" && seen & node.required == node.required", "")],
        suite: Unit,
        test: "schema::certain::tests::what_is_certain_of_any_schema_is_true",
    },
    Mutation {
        name: "be certain of a key that occurs twice",
        file: "src/schema/certain/object.rs",
        edits: &[(" || before.contains(&key)", "")],
        suite: Unit,
        test: "schema::certain::tests::what_is_wrong_or_odd_is_left_to_the_reader_and_the_validator",
    },
    Mutation {
        name: "show the model what broke on the host",
        file: "src/operation/fault.rs",
        edits: &[(
            "(Failure::Unknown {}, Some(format!(\"operation {path}: {evidence}\")))",
            "(Failure::CapabilityFailed { operation, problem: evidence }, None)",
        )],
        suite: Laws,
        test: "runtime::evidence::what_breaks_on_the_host_stays_there",
    },
    Mutation {
        name: "close while programs run",
        file: "src/runtime/mycelium.rs",
        edits: &[("                shared.running.emptied().await;\n", "")],
        suite: Laws,
        test: "runtime::closing::closing_ends_who_waits_and_awaits_who_runs",
    },
    Mutation {
        name: "give sources back while a lease holds them",
        file: "src/runtime/lease/graphs.rs",
        edits: &[("        if shared.leases.get() == 0 {\n", "        if true {\n")],
        suite: Laws,
        test: "runtime::leases::an_existing_lease_keeps_its_graph_and_the_next_one_builds_anew",
    },
    Mutation {
        name: "share no graph that a lease has left",
        file: "src/runtime/lease/graphs.rs",
        edits: &[("if shared.leases.get() > 0 || ", "if ")],
        suite: Laws,
        test: "runtime::leases::a_graph_is_shared_as_long_as_one_lease_is_on_it",
    },
    Mutation {
        name: "count questions instead of executions",
        file: "src/runtime/access/approvals.rs",
        edits: &[(
            "(0, Some(approvals)) => approvals.enter()?",
            "(_, Some(approvals)) => approvals.enter()?",
        )],
        suite: Laws,
        test: "access::approvals::an_execution_counts_once_however_many_questions_it_has",
    },
    Mutation {
        name: "give every question its own five minutes",
        file: "src/runtime/access/check.rs",
        edits: &[(
            "self.policy.approval_ms.saturating_sub(self.human_time.waited_ms())",
            "self.policy.approval_ms",
        )],
        suite: Laws,
        test: "access::person::one_execution_waits_for_people_so_long_and_no_longer",
    },
    Mutation {
        name: "give the first source back first",
        file: "src/runtime/lease/graph.rs",
        edits: &[("in held.into_iter().rev() {", "in held {")],
        suite: Laws,
        test: "runtime::leases::a_source_without_anything_fails_the_lease_after_an_awaited_unwind_in_reverse",
    },
    Mutation {
        name: "tell of calls unasked",
        file: "src/runtime/progress.rs",
        edits: &[("if self.calls {", "if true {")],
        suite: Laws,
        test: "runtime::progress::a_run_without_progress_gives_exactly_one_part",
    },
    Mutation {
        name: "go on with a list of another view",
        file: "src/forage/cursor.rs",
        edits: &[("if theirs != short(stamp) {", "if theirs.is_empty() {")],
        suite: Laws,
        test: "forage::list::a_cursor_of_another_catalog_namespace_or_view_fails_and_so_does_a_forged_one",
    },
    Mutation {
        name: "describe what a view hides",
        file: "src/forage/catalog.rs",
        edits: &[(
            "place.ok().and_then(|place| self.item(place))",
            "place.ok().and_then(|place| self.shared.items.get(place))",
        )],
        suite: Laws,
        test: "forage::catalog::a_view_shows_and_counts_only_what_it_keeps",
    },
    Mutation {
        name: "name a definition as another operation's type is named",
        file: "src/schema/typescript/definitions.rs",
        edits: &[("\"{}$${}\", self.alias", "\"{}${}\", self.alias")],
        suite: Laws,
        test: "forage::describe::a_definition_does_not_take_the_name_of_another_operations_type",
    },
    Mutation {
        name: "keep no account of an execution whose caller left",
        file: "src/runtime/account.rs",
        edits: &[(
            "if let Some(account) = self.account.take() {",
            "if let Some(account) = self.account.take().filter(|_| false) {",
        )],
        suite: Laws,
        test: "runtime::accounts::a_caller_who_goes_away_is_accounted_for_once",
    },
    Mutation {
        name: "begin a trace where there is one",
        file: "src/operation/trace.rs",
        edits: &[(
            "within.map_or(begun, |trace| Self { span, ..trace })",
            "within.map_or(begun, |_| begun)",
        )],
        suite: Laws,
        test: "runtime::accounts::an_execution_is_a_span_of_its_caller_s_trace_and_so_is_what_it_asks",
    },
    Mutation {
        name: "name the principal in the log",
        file: "src/runtime/account.rs",
        edits: &[("of.principal.and_then(kind).map", "of.principal.map")],
        suite: Laws,
        test: "runtime::accounts::an_execution_is_one_line_of_facts_and_nothing_of_what_it_said",
    },
    Mutation {
        name: "park a connection that is being opened",
        file: "src/mcp/server/connection/mod.rs",
        edits: &[("if self.inner.opening.get() {", "if false {")],
        suite: Laws,
        test: "mcp::opening::a_connection_that_is_being_opened_keeps_its_place",
    },
    Mutation {
        name: "take a page's result by another claim",
        file: "src/knapsack/ui/exchange.rs",
        edits: &[(
            "same(&held.client, client) & same(&held.claim, claim)",
            "same(&held.client, client)",
        )],
        suite: Laws,
        test: "knapsack::ui::commands::of_two_pages_the_first_claim_wins_and_only_its_result_is_taken_once",
    },
    Mutation {
        name: "give what one page runs to another",
        file: "src/knapsack/ui/host.rs",
        edits: &[(
            "Standing::Claimed(..) => Err(Claimed::Refused(\"another page has claimed it\")),",
            "Standing::Claimed(ask, held) => Err(granted(held.claim.clone(), ask)),",
        )],
        suite: Laws,
        test: "knapsack::ui::commands::of_two_pages_the_first_claim_wins_and_only_its_result_is_taken_once",
    },
    Mutation {
        name: "say that nothing was done when the page went away",
        file: "src/knapsack/ui/failing.rs",
        edits: &[(
            "return Err(lost(command, \"the page that ran it went away\"))",
            "return Err(lost(None, \"the page that ran it went away\"))",
        )],
        suite: Laws,
        test: "knapsack::ui::times::a_page_that_goes_away_with_a_command_leaves_its_outcome_unknown",
    },
    Mutation {
        name: "wait for a page that is gone",
        file: "src/knapsack/ui/host.rs",
        edits: &[("forget(&host, &client, stream);", "drop((host, client, stream));")],
        suite: Laws,
        test: "knapsack::ui::times::a_page_that_goes_away_with_a_command_leaves_its_outcome_unknown",
    },
    Mutation {
        name: "open a browser host for a session that isn't there",
        file: "src/knapsack/ui/connection.rs",
        edits: &[("Ok(false) => return Reply::no_session(),", "Ok(false) => {}")],
        suite: Laws,
        test: "knapsack::ui::authority::of_a_session_that_is_not_there_nobody_learns_anything_and_no_host_is_opened",
    },
    Mutation {
        name: "let a run borrow what another's has after the end",
        file: "src/knapsack/ui/connection.rs",
        edits: &[("lent.iter().for_each(Invalidation::invalidate);", "drop(lent);")],
        suite: Laws,
        test: "knapsack::ui::closing::a_run_that_began_before_the_end_borrows_nothing_for_one_that_begins_after",
    },
    Mutation {
        name: "keep a bound Worker's functions",
        file: "src/service/remote.rs",
        edits: &[("            function.dispose();\n", "            let _ = function;\n")],
        suite: Laws,
        test: "service::disposal::a_function_is_let_go_once_before_the_reply_whatever_the_end",
    },
    Mutation {
        name: "let a bound Worker grant itself more than the owner does",
        file: "src/service/access.rs",
        edits: &[("(key, grant.min(ceiling))", "(key, grant.max(ceiling))")],
        suite: Laws,
        test: "service::access::what_the_owner_grants_is_the_most_a_caller_has",
    },
    Mutation {
        name: "take a function for null",
        file: "src/service/asked.rs",
        edits: &[("match functions.untaken() {", "match functions.untaken().filter(|_| false) {")],
        suite: Laws,
        test: "service::requests::a_function_where_data_belongs_is_refused_by_its_place",
    },
    Mutation {
        name: "send a bound Worker what the platform doesn't carry",
        file: "src/service/reply.rs",
        edits: &[
            ("if reply.len() <= SERVICE_REPLY_BYTES {\n", "if !reply.is_empty() {\n"),
            ("if reply.len() <= SERVICE_REPLY_BYTES { reply }", "if !reply.is_empty() { reply }"),
        ],
        suite: Laws,
        test: "service::replies::a_reply_over_the_bound_is_a_failure_that_says_so",
    },
    Mutation {
        name: "show a bound Worker all that the host has",
        file: "src/service/caller.rs",
        edits: &[
            (
                "options.modules.retain(seen);",
                "options.modules.retain(|module| seen(module) || true);",
            ),
            (
                ".grants(standing).unnamed(Unnamed::Refused)",
                ".grants(standing).unnamed(Unnamed::Full)",
            ),
        ],
        suite: Laws,
        test: "service::access::a_caller_sees_its_own_modules_and_what_the_owner_grants_to_services",
    },
];

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs};

    use super::MUTATIONS;
    use crate::workspace::Workspace;

    /// Here already, so that whoever changes the sources hears of it with the tests.
    #[test]
    fn every_mutation_finds_its_text_and_changes_it() {
        for mutation in MUTATIONS {
            let path = Workspace::current().root().join(mutation.file);
            let text = fs::read_to_string(&path).unwrap_or_default();
            match mutation.apply(&text) {
                Ok(broken) => assert_ne!(broken, text, "{}", mutation.name),
                Err(failure) => assert_eq!(failure.to_string(), ""),
            }
        }
    }

    #[test]
    fn each_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = MUTATIONS.iter().map(|mutation| mutation.name).collect();
        assert_eq!(names.len(), MUTATIONS.len());
        assert!(MUTATIONS.iter().all(|mutation| !mutation.edits.is_empty()));
    }
}
