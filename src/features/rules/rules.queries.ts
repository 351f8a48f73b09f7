import type { Selectable } from 'kysely';

import type { RulesTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export type RuleRow = Selectable<RulesTable>;

/** All rules in the order of execution; a household has a few hundred at most. */
export async function selectRules(tx: ReadTx): Promise<RuleRow[]> {
  return tx.q.selectFrom('rules').selectAll().orderBy('priority').orderBy('created_at').orderBy('id').execute();
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

export async function deleteHits(tx: BareWriteTx, ruleId: string): Promise<void> {
  await tx.q.deleteFrom('rule_hits').where('rule_id', '=', ruleId).execute();
}

/** The names of all records that rules can refer to; a household has a few thousand at most. */
export type CatalogNames = Awaited<ReturnType<typeof selectCatalogNames>>;

export async function selectCatalogNames(tx: ReadTx) {
  return {
    categories: await tx.q
      .selectFrom('categories')
      .select(['id', 'short_id', 'slug', 'name', 'kind', 'is_archived'])
      .execute(),
    tags: await tx.q.selectFrom('tags').select(['id', 'short_id', 'slug']).execute(),
    series: await tx.q.selectFrom('series').select(['id', 'short_id', 'name', 'name_folded']).execute(),
    counterparties: await tx.q
      .selectFrom('counterparties')
      .select(['id', 'short_id', 'name', 'name_folded', 'canonical_counterparty_id'])
      .execute(),
    accounts: await tx.q.selectFrom('accounts').select(['id', 'short_id']).where('deleted_at', 'is', null).execute(),
    users: await tx.q.selectFrom('users').select(['id', 'short_id', 'name']).execute(),
  };
}
