import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';

/** What a provider or file said about a transaction's category. */
export interface ProviderCategory {
  id: string;
  provider: string;
  primary: string | null;
  detailed: string | null;
  amountCents: number;
}

const AT_ONCE = 5_000;

export async function selectProviderCategories(tx: ReadTx, ids: readonly string[]): Promise<ProviderCategory[]> {
  const found: ProviderCategory[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const list = tx.portable.inList(sql.ref('t.id'), ids.slice(start, start + AT_ONCE));
    const { rows } = await sql<ProviderCategory>`
      select t.id, a.provider, t.provider_category_primary as "primary", t.provider_category_detailed as detailed,
        t.amount_cents as "amountCents"
      from transactions t join accounts a on a.id = t.account_id where ${list}`.execute(tx.q);
    found.push(...rows);
  }
  return found;
}

/** Tags that have one of these as slug, UUID or short_id. */
export async function selectTagsNamed(
  tx: ReadTx,
  names: readonly string[],
): Promise<{ id: string; short_id: string; slug: string }[]> {
  const among = (column: string) => tx.portable.inList(sql.ref(column), names);
  const { rows } = await sql<{ id: string; short_id: string; slug: string }>`select id, short_id, slug from tags
    where ${among('slug')} or ${among('id')} or ${among('short_id')}`.execute(tx.q);
  return rows;
}
