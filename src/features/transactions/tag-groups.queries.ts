import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ResolvedFilters } from './resolve-filters.ts';
import { countingRows, namesOf, ROW_SUMS, type CountingOptions, type SumTexts } from './totals.queries.ts';
import { exact, foldGroups, type Dimension, type Group } from './totals.ts';

/**
 * Sums per tag and the other dimensions. A row with two tags stands in two groups; rows without a tag are what is left
 * of the whole, because tagged rows are the fewer ones.
 * @param dimensions what else the sums are grouped by, besides the currency
 * @param whole sums of all rows that count, grouped at least as finely
 */
export async function selectTagGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
  whole: readonly Group[],
): Promise<Group[]> {
  const tagged = await taggedGroups(tx, filters, options, dimensions);
  const once = tagged.filter((group) => group.isFirst).map(negative);
  const key = (group: Group): string =>
    JSON.stringify([group.iso_currency_code, ...dimensions.map((one) => group[one] ?? null)]);
  const untagged = foldGroups([...whole, ...once], key)
    .filter((group) => group.count > 0)
    .map((group) => ({ ...group, tag_id: null }));
  return [...tagged, ...untagged];
}

interface TaggedGroup extends Group {
  /** Of rows whose first tag this is: every tagged row is in exactly one such group. */
  isFirst: boolean;
}

async function taggedGroups(
  tx: ReadTx,
  filters: ResolvedFilters,
  options: CountingOptions,
  dimensions: readonly Dimension[],
): Promise<TaggedGroup[]> {
  const { source, where, isFew } = await countingRows(tx, filters, options);
  const { orderedJoin } = tx.portable;
  const rows = isFew
    ? sql`${source} ${orderedJoin} transaction_tags tt on tt.transaction_id = t.id`
    : sql`transaction_tags tt ${orderedJoin} transactions t on t.id = tt.transaction_id`;
  const isLater = sql`exists (select 1 from transaction_tags other
    where other.transaction_id = tt.transaction_id and other.tag_id < tt.tag_id)`;
  const columns = sql.join(['tt.tag_id', ...dimensions.map((one) => `t.${one}`)].map((name) => sql.raw(name)));
  const found = await sql<Omit<Group, 'total' | 'out'> & { is_later: 0 | 1 } & SumTexts>`
    select ${namesOf(['tag_id', ...dimensions])}, iso_currency_code, is_later, count, cast(total as text) as total,
      cast(incoming as text) as incoming
    from (select ${columns}, t.iso_currency_code, case when ${isLater} then 1 else 0 end as is_later, ${ROW_SUMS}
      from ${rows} where ${where} group by ${columns}, t.iso_currency_code, is_later) as sums`.execute(tx.q);
  return found.rows.map(({ total, incoming, is_later, ...group }) => ({
    ...group,
    ...exact(total, incoming),
    isFirst: is_later === 0,
  }));
}

function negative(group: Group): Group {
  return { ...group, count: -group.count, total: -group.total, out: -group.out };
}
