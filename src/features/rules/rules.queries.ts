import type { Selectable, Updateable } from 'kysely';

import type { RulesTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

export type RuleRow = Selectable<RulesTable>;

/** Every rule, in the order of execution; a household has a few hundred at most. */
export async function selectRules(tx: ReadTx): Promise<RuleRow[]> {
  return tx.q.selectFrom('rules').selectAll().orderBy('priority').orderBy('created_at').orderBy('id').execute();
}

export async function findRule(tx: ReadTx, anyId: string): Promise<RuleRow | undefined> {
  const column = isUuid(anyId) ? 'id' : isShortId(anyId) ? 'short_id' : undefined;
  if (column === undefined) return undefined;
  return tx.q.selectFrom('rules').selectAll().where(column, '=', anyId).executeTakeFirst();
}

export async function updateRuleRow(tx: BareWriteTx, id: string, set: Updateable<RulesTable>): Promise<void> {
  await tx.q.updateTable('rules').set(set).where('id', '=', id).execute();
}
