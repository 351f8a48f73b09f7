import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

/** What filters and totals need to know of every account; a household has few. */
export interface AccountFacts {
  id: string;
  short_id: string;
  name: string;
  connection_id: string | null;
  /** Override, else the connection's owner (contract 10.1.3, last two steps). */
  owner_id: string | null;
  is_excluded: 0 | 1;
  is_dependent_linked: 0 | 1;
}

export async function selectAccountFacts(tx: ReadTx): Promise<AccountFacts[]> {
  const { rows } = await sql<AccountFacts>`
    select a.id, a.short_id, coalesce(a.display_name, a.name) as name, a.connection_id,
      coalesce(a.owner_user_id, c.user_id) as owner_id, a.is_excluded, a.is_dependent_linked
    from accounts a left join connections c on c.id = a.connection_id
    where a.deleted_at is null order by a.id`.execute(tx.q);
  return rows;
}

type Referable = 'users' | 'connections' | 'counterparties' | 'series' | 'imports' | 'tags';

/** UUIDs of entities named by UUID or short_id; a name that none has maps to nothing. */
export async function findIds(tx: ReadTx, table: Referable, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    if (!isUuid(name) && !isShortId(name)) continue;
    const column = isUuid(name) ? 'id' : 'short_id';
    const row = await sql<{
      id: string;
    }>`select id from ${sql.table(table)} where ${sql.ref(column)} = ${name}`.execute(tx.q);
    if (row.rows[0]) found.set(name, row.rows[0].id);
  }
  return found;
}

/** A merged counterparty's id stands for its target. */
export async function followMerges(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select coalesce(canonical_counterparty_id, id) as id from counterparties
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return [...new Set(rows.map(({ id }) => id))];
}

export async function findTagIdsBySlug(tx: ReadTx, slugs: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.q
    .selectFrom('tags')
    .select(['id', 'slug'])
    .where('slug', 'in', [...slugs])
    .execute();
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

/** Soft-deleted rows still exist; only a row that never was, or was wiped, makes a cursor invalid. */
export async function transactionExists(tx: ReadTx, id: string): Promise<boolean> {
  return (await tx.q.selectFrom('transactions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** How many rows a query finds, counting no further than `cap`. */
export async function countUpTo(tx: ReadTx, cap: number, rows: RawBuilder<unknown>): Promise<number> {
  const capped = sql<{ n: number }>`select count(*) as n from (${rows} limit ${sql.lit(cap)}) as capped`;
  const answer = await capped.execute(tx.q);
  return answer.rows[0]?.n ?? 0;
}

export interface Named {
  id: string;
  short_id: string;
  name: string;
  slug: string | null;
}

export async function selectNamed(tx: ReadTx, table: 'users' | 'counterparties' | 'tags'): Promise<Named[]> {
  const slug = table === 'tags' ? sql.raw('slug') : sql.raw('null as slug');
  const { rows } = await sql<Named>`select id, short_id, name, ${slug} from ${sql.table(table)}`.execute(tx.q);
  return rows;
}

export interface CounterpartyLook {
  id: string;
  short_id: string;
  name: string;
  logo_url: string | null;
}

export async function selectCounterparties(tx: ReadTx, ids: readonly string[]): Promise<CounterpartyLook[]> {
  const isOne = tx.portable.inList(sql.ref('id'), ids);
  return tx.q.selectFrom('counterparties').select(['id', 'short_id', 'name', 'logo_url']).where(isOne).execute();
}
