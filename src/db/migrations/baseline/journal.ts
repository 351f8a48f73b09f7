/** Every change, with what it takes to undo it. */
export const journal: readonly string[] = [
  `create table change_sets (
    id {text} primary key, short_id {text} not null unique, created_at {text} not null, actor_type {text} not null,
    actor_id {text}, actor_user_id {text}, actor_name {text} not null, surface {text} not null,
    source {text} not null, action {text} not null, reason {text}, summary {text} not null,
    created_count {int} not null, updated_count {int} not null, deleted_count {int} not null,
    entity_types {text} not null, status {text} not null, is_revertible {int} not null,
    reverts_change_set_id {text}, reverted_by_change_set_id {text}, sync_log_id {text}, import_id {text},
    workflow_run_id {text}, proposal_id {text}, rule_id {text}, session_id {text}, request_id {text},
    is_open {int} not null default 0) {strict}`,
  `create index change_sets_by_creation on change_sets (created_at, id)`,
  `create index change_sets_by_actor on change_sets (actor_id, created_at, id) where actor_id is not null`,
  `create index change_sets_by_import on change_sets (import_id) where import_id is not null`,
  `create index change_sets_by_rule on change_sets (rule_id, created_at, id) where rule_id is not null`,
  `create index change_sets_by_run on change_sets (workflow_run_id) where workflow_run_id is not null`,

  // before and after hold the changed fields as served; internal holds what only a revert needs, such as locks.
  `create table changes (
    change_set_id {text} not null references change_sets(id), sequence {int} not null, entity_type {text} not null,
    entity_id {text}, entity_short_id {text}, operation {text} not null, before {text}, after {text},
    internal {text}, transaction_id {text}, source {text} not null, rule_id {text}, applied_by {text},
    is_revertible {int} not null, reverted_by_change_set_id {text},
    primary key (change_set_id, sequence)) {strict}{without_rowid}`,
  `create index changes_by_transaction on changes (transaction_id, change_set_id) where transaction_id is not null`,
  `create index changes_by_entity on changes (entity_type, entity_id, change_set_id)`,
  `create index changes_by_revert on changes (reverted_by_change_set_id)
    where reverted_by_change_set_id is not null`,
];
