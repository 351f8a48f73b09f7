import type { Migration } from '../migrate.ts';

/** What rules did to new rows, background jobs, and the history of rule runs. */
export const rules: Migration = {
  version: 3,
  name: 'rules',
  statements: [
    // What rules did to a row while an import or sync created it. It is part of the creation; the timeline shows it.
    `alter table transactions add column creation_effects {text}`,
    `create table jobs (
      id {text} primary key, short_id {text} not null unique, kind {text} not null, status {text} not null,
      done {int} not null default 0, total {int}, options {text} not null, result {text}, error {text},
      actor_type {text} not null, actor_id {text}, actor_user_id {text}, actor_name {text} not null,
      change_set_id {text}, is_cancel_requested {int} not null default 0,
      created_at {text} not null, started_at {text}, finished_at {text}) {strict}`,
    `create index jobs_by_creation on jobs (created_at, id)`,
    // The history of each rule: one row for each run in which it matched.
    `create table rule_runs (
      rule_id {text} not null, run_id {text} not null, run_type {text} not null, sync_log_id {text},
      import_id {text}, change_set_id {text}, institution_name {text}, status {text} not null,
      hit_count {int} not null, changed_count {int} not null, started_at {text} not null,
      primary key (rule_id, run_id)) {strict}`,
    `create index rule_runs_by_rule on rule_runs (rule_id, started_at, run_id)`,
    `create index rule_runs_by_start on rule_runs (started_at)`,
  ],
};
