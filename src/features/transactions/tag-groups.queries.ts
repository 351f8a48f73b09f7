import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import { countingRows, ROW_SUMS, type CountingOptions, type SumTexts } from './totals.queries.ts';
import { exact, foldGroups, type Group } from './totals.ts';

/**
 * Sums per tag. A row with two tags stands in two groups; rows without a tag are what is left of the whole, because
 * tagged rows are the fewer ones.
 * @param whole sums of all rows that count, in any grouping by currency
 */
export async function selectTagGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  whole: readonly Group[],
): Promise<Group[]> {
  const tagged = await taggedGroups(tx, filters, options);
  const once = tagged.filter((group) => group.isFirst).map(negative);
  const untagged = foldGroups([...whole, ...once], (group) => group.iso_currency_code ?? '')
    .filter((group) => group.count > 0)
    .map(({ iso_currency_code, count, total, out }) => ({ iso_currency_code, count, total, out, tag_id: null }));
  return [...tagged, ...untagged];
}

interface TaggedGroup extends Group {
  /** Of rows whose first tag this is: every tagged row is in exactly one such group. */
  isFirst: boolean;
}

async function taggedGroups(tx: ReadTx, filters: ResolvedFilters, options: CountingOptions): Promise<TaggedGroup[]> {
  const { source, where, isFew } = await countingRows(tx, filters, options);
  const { orderedJoin } = tx.portable;
  const rows = isFew
    ? sql`${source} ${orderedJoin} transaction_tags tt on tt.transaction_id = t.id`
    : sql`transaction_tags tt ${orderedJoin} transactions t on t.id = tt.transaction_id`;
  const isLater = sql`exists (select 1 from transaction_tags other
    where other.transaction_id = tt.transaction_id and other.tag_id < tt.tag_id)`;
  const found = await sql<{ tag_id: string; iso_currency_code: string | null; is_later: 0 | 1 } & SumTexts>`
    select tag_id, iso_currency_code, is_later, count, cast(total as text) as total, cast(incoming as text) as incoming
    from (select tt.tag_id, t.iso_currency_code, case when ${isLater} then 1 else 0 end as is_later, ${ROW_SUMS}
      from ${rows} where ${where} group by 1, 2, 3) as sums`.execute(tx.q);
  return found.rows.map(({ total, incoming, is_later, ...group }) => ({
    ...group,
    ...exact(total, incoming),
    isFirst: is_later === 0,
  }));
}

function negative(group: Group): Group {
  return { iso_currency_code: group.iso_currency_code, count: -group.count, total: -group.total, out: -group.out };
}
