/** Workflows, their runs and what they cost. */
export const workflows: readonly string[] = [
  // prompt is null while it is composed from prompt_blocks. Dollars are integer millionths.
  `create table workflows (
    id {text} primary key, short_id {text} not null unique, name {text} not null, slug {text} not null unique,
    prompt {text}, prompt_blocks {text} not null, preset_options {text} not null, extra_instructions {text},
    system_prompt {text}, tool_scope {text} not null, allowed_tools {text} not null, model_tier {text} not null,
    model {text}, max_turns {int} not null, max_budget_micros {int} not null, max_tokens {int} not null,
    max_duration_seconds {int} not null, is_enabled {int} not null, schedule_cron {text},
    is_started_by_syncs {int} not null, quiet_hours_start {text}, quiet_hours_end {text},
    source_template {text} unique, created_at {text} not null,
    updated_at {text} not null) {strict}`,

  // checked_until: occurrences up to then have been dealt with. kept_start_at: an after-sync start that waits.
  `create table workflow_schedules (
    workflow_id {text} primary key references workflows(id) on delete cascade, kept_start_at {text},
    checked_until {text} not null) {strict}`,

  // Syncs and imports that may start workflows, by the id of the sync log or import. Each is dealt with once.
  `create table workflow_causes (
    id {text} primary key, kind {text} not null, happened_at {text} not null,
    handled_at {text}) {strict}`,
  `create index workflow_causes_waiting on workflow_causes (happened_at) where handled_at is null`,

  // workflow_id outlives the workflow. definition is what the run began with. holder is null until a process works
  // on it.
  // budget_micros is its dollar cap, which it reserves of the household's ceiling; null without a cap.
  `create table workflow_runs (
    id {text} primary key, short_id {text} not null unique, workflow_id {text} not null,
    workflow_slug {text} not null, workflow_name {text} not null, trigger {text} not null, status {text} not null,
    skip_reason {text}, cancel_requested_at {text}, tool_scope {text} not null, started_at {text} not null,
    completed_at {text}, duration_ms {int}, model_provider {text}, model {text}, total_cost_micros {int},
    input_tokens {int} not null default 0, output_tokens {int} not null default 0,
    cache_read_tokens {int} not null default 0, cache_creation_tokens {int} not null default 0,
    turn_count {int} not null default 0, num_tool_calls {int} not null default 0, max_turns_used {int},
    hit_cap {text}, error_code {text}, error_message {text}, result_text {text}, operator_note {text},
    prompt_prefix {text}, starter_type {text} not null, starter_id {text}, starter_name {text} not null,
    starter_key_id {text}, definition {text}, budget_micros {int}, is_budget_of_household {int} not null default 0,
    is_after_sync {int} not null default 0, holder {text}, fencing_token {text}, lease_expires_at {text},
    transcript_lines {int} not null default 0, transcript_bytes {int} not null default 0,
    created_at {text} not null) {strict}`,
  // One at a time, whoever starts it.
  `create unique index workflow_runs_in_progress on workflow_runs (workflow_id) where status = 'in_progress'`,
  `create index workflow_runs_by_start on workflow_runs (started_at, id)`,
  `create index workflow_runs_by_workflow on workflow_runs (workflow_id, started_at, id)`,
  // The figures of a workflow are read along these, past however many runs were skipped.
  `create index workflow_runs_started
    on workflow_runs (workflow_id, started_at, id, total_cost_micros, status, hit_cap)
    where status <> 'skipped'`,
  `create index workflow_runs_with_prefix on workflow_runs (workflow_id, started_at, id)
    where prompt_prefix is not null`,
  `create index workflow_runs_open on workflow_runs (lease_expires_at) where status = 'in_progress'`,

  `create table workflow_run_lines (
    run_id {text} not null references workflow_runs(id) on delete cascade, seq {int} not null, type {text} not null,
    ts {text} not null, data {text} not null, primary key (run_id, seq)) {strict}{without_rowid}`,

  // Stays when its run is deleted, so that what was spent cannot be forgotten.
  `create table workflow_spending (
    run_id {text} primary key, started_at {text} not null, cost_micros {int} not null) {strict}`,
  `create index workflow_spending_by_start on workflow_spending (started_at)`,
];
