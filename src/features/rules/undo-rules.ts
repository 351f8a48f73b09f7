import { sql } from 'kysely';

import { undoRows } from '../../journal/undo-rows.ts';
import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import { fold } from '../../kernel/fold.ts';
import { toRuleFields } from './rule-record.ts';
import { insertHits, type RuleHits, type RuleRow } from './rules.queries.ts';
import { ruleReferences } from './stored-references.ts';

/** How rules are taken back. Hits are their own record: they go with a rule and return with it. */
export const undo = undoRows({
  entityType: 'rule',
  table: 'rules',
  toFields: (row) => toRuleFields(row as unknown as RuleRow),
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
  async restoreBelongings(tx, { entityId, internal }) {
    const { hits } = internal as { hits?: RuleHits | null };
    if (hits) await insertHits(tx, entityId, hits);
  },
});
