/** What a transaction is filed under, and the rules that file it. */
export const facets: readonly string[] = [
  // Each distinct folded text once: search looks at these, not at every transaction that carries them.
  `create table texts (
    id {int} primary key, folded {text} not null unique, trigram_count {int} not null{trigram_column}) {strict}`,
  `create index texts_by_trigram_count on texts (trigram_count)`,

  `create table categories (
    id {text} primary key, short_id {text} not null unique, slug {text} not null unique, name {text} not null,
    name_folded {text} not null, parent_id {text} references categories(id), kind {text} not null,
    is_archived {int} not null default 0, icon {text}, color {text}, sort_order {int} not null,
    is_system {int} not null default 0, merged_into_id {text} references categories(id), created_at {text} not null,
    updated_at {text} not null) {strict}`,
  `create index categories_by_parent on categories (parent_id)`,

  `create table tags (
    id {text} primary key, short_id {text} not null unique, slug {text} not null unique, name {text} not null,
    name_folded {text} not null, color {text} not null, description {text} not null, icon {text},
    created_at {text} not null, updated_at {text} not null) {strict}`,

  `create table counterparties (
    id {text} primary key, short_id {text} not null unique, name {text} not null,
    name_folded {text} not null unique, name_text_id {int} not null references texts(id), website_url {text},
    logo_url {text}, category_id {text} references categories(id), mcc {text},
    canonical_counterparty_id {text} references counterparties(id), created_at {text} not null,
    updated_at {text} not null) {strict}`,
  `create index counterparties_by_text on counterparties (name_text_id)`,
  `create index counterparties_by_canonical on counterparties (canonical_counterparty_id)
    where canonical_counterparty_id is not null`,

  `create table series (
    id {text} primary key, short_id {text} not null unique, name {text} not null,
    name_folded {text} not null unique, type {text} not null, created_at {text} not null,
    updated_at {text} not null) {strict}`,

  `create table provider_mappings (
    provider {text} primary key, version {int} not null, mapped_at {text} not null) {strict}`,

  `create table rules (
    id {text} primary key, short_id {text} not null unique, name {text} not null, name_folded {text} not null,
    priority {int} not null, is_enabled {int} not null, is_system {int} not null default 0,
    condition {text} not null, actions {text} not null, triggers {text} not null,
    is_overwriting_manual {int} not null default 0, is_stopping {int} not null default 0, expires_at {text},
    creator_type {text} not null, creator_id {text}, creator_name {text}, created_at {text} not null,
    updated_at {text} not null) {strict}`,

  // Hit counters change with every sync and are their own record, so they stay out of the journaled table.
  `create table rule_hits (
    rule_id {text} primary key references rules(id), hit_count {int} not null,
    last_hit_at {text}) {strict}`,

  // The history of each rule: one row for each run in which it matched.
  `create table rule_runs (
    rule_id {text} not null, run_id {text} not null, run_type {text} not null, sync_log_id {text}, import_id {text},
    change_set_id {text}, institution_name {text}, status {text} not null, hit_count {int} not null,
    changed_count {int} not null, started_at {text} not null,
    primary key (rule_id, run_id)) {strict}`,
  `create index rule_runs_by_rule on rule_runs (rule_id, started_at, run_id)`,
  `create index rule_runs_by_start on rule_runs (started_at)`,

  `create table rule_effects (
    id {int} primary key, digest {text} not null unique, effects {text} not null) {strict}`,

  `create table jobs (
    id {text} primary key, short_id {text} not null unique, kind {text} not null, status {text} not null,
    done {int} not null default 0, total {int}, options {text} not null, result {text}, error {text},
    actor_type {text} not null, actor_id {text}, actor_user_id {text}, actor_name {text} not null,
    change_set_id {text}, is_cancel_requested {int} not null default 0, created_at {text} not null,
    started_at {text}, finished_at {text}) {strict}`,
  `create index jobs_by_creation on jobs (created_at, id)`,
];
/** SQLite: word-padded trigrams of each text, for candidates of substrings and exact counts of similarity. */
export const textsOfSqlite: readonly string[] = [
  `create virtual table texts_trigrams using fts5 (
    padded, content = '', contentless_delete = 1, detail = none, tokenize = "trigram case_sensitive 1")`,
  `create virtual table texts_trigrams_vocabulary using fts5vocab ('texts_trigrams', 'instance')`,
];

/** PostgreSQL keeps the trigrams in the table of texts. */
export const textsOfPostgres: readonly string[] = [`create index texts_trigrams on texts using gin (trigrams)`];
