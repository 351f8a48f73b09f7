import { sql } from 'kysely';

import { undoRows } from '../../journal/undo-rows.ts';
import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import { fold } from '../../kernel/fold.ts';
import { ruleReferences } from './stored-references.ts';

/** How rules are taken back. Hits are their own record: they go with a rule and return with it. */
export const undo = undoRows({
  entityType: 'rule',
  table: 'rules',
  toFields: (row) => ({
    id: row['id'],
    short_id: row['short_id'],
    name: row['name'],
    enabled: row['is_enabled'] === 1,
    priority: row['priority'],
    condition: JSON.parse(String(row['condition'])) as unknown,
    actions: JSON.parse(String(row['actions'])) as unknown,
    triggers: JSON.parse(String(row['triggers'])) as unknown,
    overwrite_manual: row['is_overwriting_manual'] === 1,
    stop: row['is_stopping'] === 1,
    expires_at: row['expires_at'],
    creator_type: row['creator_type'],
    creator_id: row['creator_id'],
    creator_name: row['creator_name'],
    created_at: row['created_at'],
    updated_at: row['updated_at'],
  }),
  async toColumns(_tx, fields) {
    const flag = (value: unknown): 0 | 1 => (value === true ? 1 : 0);
    const json = (value: unknown): string => JSON.stringify(value);
    const converters: Readonly<Record<string, (value: unknown) => Record<string, string | number | null>>> = {
      name: (value) => ({ name: String(value), name_folded: fold(String(value)) }),
      enabled: (value) => ({ is_enabled: flag(value) }),
      condition: (value) => ({ condition: json(value) }),
      actions: (value) => ({ actions: json(value) }),
      triggers: (value) => ({ triggers: json(value) }),
      overwrite_manual: (value) => ({ is_overwriting_manual: flag(value) }),
      stop: (value) => ({ is_stopping: flag(value) }),
    };
    const columns: Record<string, string | number | null> = {};
    for (const [field, value] of Object.entries(fields)) {
      Object.assign(columns, converters[field]?.(value) ?? { [field]: value });
    }
    return columns;
  },
  unique: [],
  references: (fields) =>
    ruleReferences(fields['condition'] as StoredCondition | undefined, fields['actions'] as StoredAction[] | undefined),
  isUsed: async () => false,
  async removeBelongings(tx, id) {
    await sql`delete from rule_hits where rule_id = ${id}`.execute(tx.q);
  },
});
