import type { Selectable, Updateable } from 'kysely';

import type { RulesTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export type RuleRow = Selectable<RulesTable>;

/** Every rule, in the order of execution; a household has a few hundred at most. */
export async function selectRules(tx: ReadTx): Promise<RuleRow[]> {
  return tx.q.selectFrom('rules').selectAll().orderBy('priority').orderBy('created_at').orderBy('id').execute();
}

export async function updateRuleRow(tx: BareWriteTx, id: string, set: Updateable<RulesTable>): Promise<void> {
  await tx.q.updateTable('rules').set(set).where('id', '=', id).execute();
}
