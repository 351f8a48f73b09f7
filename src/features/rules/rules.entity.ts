import type { ReadTx } from '../../db/unit-of-work.ts';
import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import { derived, flag, IDS, json, recorded, STAMPS, unjournaled } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { notFound } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { ruleReferences } from './rule-references.queries.ts';
import { deleteHits, findHits, insertHits, type RuleHits, type RuleRow } from './rules.queries.ts';

/** The journal keeps references by id. Hits are not journaled: they are deleted with a rule and restored with it. */
export const rules = defineEntity('rules', {
  type: 'rule',
  columns: {
    ...IDS,
    name: recorded,
    name_folded: derived,
    is_enabled: flag('enabled'),
    is_system: unjournaled,
    priority: recorded,
    condition: json,
    actions: json,
    triggers: json,
    is_overwriting_manual: flag('overwrite_manual'),
    is_stopping: flag('stop'),
    expires_at: recorded,
    creator_type: recorded,
    creator_id: recorded,
    creator_name: recorded,
    ...STAMPS,
  },
  derive: ({ name }) => ({ name_folded: fold(name) }),
  async removeBelongings(tx, id) {
    const hits = (await findHits(tx, id)) ?? null;
    await deleteHits(tx, id);
    return { hits };
  },
  async restoreBelongings(tx, { entityId, internal }) {
    const { hits } = internal as { hits?: RuleHits | null };
    if (hits) await insertHits(tx, entityId, hits);
  },
  undo: {
    targets: ({ condition, actions }) =>
      ruleReferences(condition as StoredCondition | undefined, actions as readonly StoredAction[] | undefined),
  },
});

/** By UUID or short_id. @throws NOT_FOUND */
export async function getRuleRow(tx: ReadTx, anyId: string): Promise<RuleRow> {
  const row = await rules.find(tx, anyId);
  if (!row) throw notFound('rule');
  return row;
}
