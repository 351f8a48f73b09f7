import type { Migration } from '../migrate.ts';

/** What rules do to new rows is mostly the same for many rows: each distinct effect is kept once. */
export const ruleEffects: Migration = {
  version: 4,
  name: 'rule effects',
  statements: [
    `create table rule_effects (id {int} primary key, digest {text} not null unique, effects {text} not null) {strict}`,
    `alter table transactions add column creation_effects_id {int} references rule_effects(id)`,
    `alter table transactions drop column creation_effects`,
  ],
};
