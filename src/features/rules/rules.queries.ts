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

export async function insertRuleRow(tx: BareWriteTx, row: RuleRow): Promise<void> {
  await tx.q.insertInto('rules').values(row).execute();
}

/** A rule goes with its counters; its history stays. */
export async function deleteRuleRow(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('rule_hits').where('rule_id', '=', id).execute();
  await tx.q.deleteFrom('rules').where('id', '=', id).execute();
}

export interface RuleHits {
  hit_count: number;
  last_hit_at: string | null;
}

export async function findHits(tx: ReadTx, ruleId: string): Promise<RuleHits | undefined> {
  return tx.q
    .selectFrom('rule_hits')
    .select(['hit_count', 'last_hit_at'])
    .where('rule_id', '=', ruleId)
    .executeTakeFirst();
}

export async function selectHits(tx: ReadTx): Promise<Map<string, RuleHits>> {
  const rows = await tx.q.selectFrom('rule_hits').selectAll().execute();
  return new Map(rows.map(({ rule_id, ...hits }) => [rule_id, hits]));
}

export async function insertHits(tx: BareWriteTx, ruleId: string, hits: RuleHits): Promise<void> {
  await tx.q
    .insertInto('rule_hits')
    .values({ rule_id: ruleId, ...hits })
    .execute();
}
