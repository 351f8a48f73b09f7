import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { matchCondition, noMatchCondition } from './search.queries.ts';
import type { ResolvedFilters, ResolvedSpending } from './resolve-filters.ts';

/** A condition on `transactions t`, and the filter it comes from. */
export interface Condition {
  filter: keyof ResolvedFilters;
  sql: RawBuilder<unknown>;
}

/**
 * Which columns the engine may look up by an index: all, the date alone (a walk along the dates, or a scan of the index
 * that covers totals), or none. The engine by itself might choose a filter that matches most rows.
 */
export type Indexing = 'all' | 'date' | 'none';

/** Up to this many accounts left out are cheaper to test than the list of the others. */
const FEW_ACCOUNTS = 3;

/** The filters as conditions on `transactions t`; together they are the one meaning of "matches". */
export function conditionsOf(tx: ReadTx, filters: ResolvedFilters, indexing: Indexing = 'all'): Condition[] {
  const query = { tx, filters, indexing, ...columnsFor(tx, indexing) };
  return [
    on('deleted', filters.deleted ? sql`t.deleted_at is not null` : sql`t.deleted_at is null`),
    ...rangeConditions(query),
    ...accountConditions(query),
    ...categoryConditions(query),
    ...referenceConditions(query),
    ...stateConditions(query),
    ...(filters.idSets ?? []).map(({ ids, isIn }) =>
      on('idSets', sql`t.id ${sql.raw(isIn ? 'in' : 'not in')} (${ids})`),
    ),
    ...(filters.match ? [on('match', matchCondition(tx, filters.match, indexing === 'date'))] : []),
    ...(filters.exclude ? [on('exclude', noMatchCondition(tx, filters.exclude, indexing === 'date'))] : []),
  ];
}

interface Columns {
  /** A column of `t`, which the engine may look up by an index or not. */
  column: (name: string) => RawBuilder<unknown>;
  isIn: (name: string, values: readonly string[]) => RawBuilder<unknown>;
}

interface FilterQuery extends Columns {
  tx: ReadTx;
  filters: ResolvedFilters;
  indexing: Indexing;
}

function columnsFor({ portable }: ReadTx, indexing: Indexing): Columns {
  const column = (name: string): RawBuilder<unknown> => {
    const isIndexed = indexing === 'all' || (indexing === 'date' && name === 'date');
    return isIndexed ? sql.raw(`t.${name}`) : portable.unindexed(sql.raw(`t.${name}`));
  };
  const isIn = (name: string, values: readonly string[]): RawBuilder<unknown> => {
    if (values.length === 0) return sql`1 = 0`;
    return values.length === 1 ? sql`${column(name)} = ${values[0]}` : portable.inList(column(name), values);
  };
  return { column, isIn };
}

function on(filter: keyof ResolvedFilters, condition: RawBuilder<unknown>): Condition {
  return { filter, sql: condition };
}

function* rangeConditions({ filters, column, isIn }: FilterQuery): Iterable<Condition> {
  const { dateFrom, dateTo, amountMin, amountMax, absMin, absMax, currencies } = filters;
  if (dateFrom !== undefined) yield on('dateFrom', sql`${column('date')} >= ${dateFrom}`);
  if (dateTo !== undefined) yield on('dateTo', sql`${column('date')} <= ${dateTo}`);
  if (amountMin !== undefined) yield on('amountMin', sql`${column('amount_cents')} >= ${amountMin}`);
  if (amountMax !== undefined) yield on('amountMax', sql`${column('amount_cents')} <= ${amountMax}`);
  if (absMin !== undefined) yield on('absMin', sql`abs(t.amount_cents) >= ${absMin}`);
  if (absMax !== undefined) yield on('absMax', sql`abs(t.amount_cents) <= ${absMax}`);
  if (currencies) yield on('currencies', isIn('iso_currency_code', currencies));
}

function* accountConditions({ filters, indexing, isIn }: FilterQuery): Iterable<Condition> {
  if (filters.accountIds) {
    const out = filters.accountsLeftOut ?? [];
    const isFew = indexing !== 'all' && out.length > 0 && out.length <= FEW_ACCOUNTS;
    const others = out.map((id) => sql`t.account_id <> ${id}`);
    yield on('accountIds', isFew ? sql.join(others, sql` and `) : isIn('account_id', filters.accountIds));
  }
  if (filters.owner) {
    const { userIds, accountIds } = filters.owner;
    const inherits = sql`(t.attributed_user_id is null and ${isIn('account_id', accountIds)})`;
    yield on('owner', sql`(${isIn('attributed_user_id', userIds)} or ${inherits})`);
  }
}

function* categoryConditions({ tx, filters, column, isIn }: FilterQuery): Iterable<Condition> {
  const { categoryIds, categoryIdsOrNone, uncategorized, spending } = filters;
  if (categoryIds) yield on('categoryIds', isIn('category_id', categoryIds));
  if (categoryIdsOrNone) {
    yield on('categoryIdsOrNone', sql`(t.category_id is null or ${isIn('category_id', categoryIdsOrNone)})`);
  }
  if (spending) yield on('spending', spendingCondition(tx, spending, sql`t.amount_cents > 0`, column('category_id')));
  if (uncategorized !== undefined) {
    yield on('uncategorized', sql`t.category_id is ${sql.raw(uncategorized ? 'null' : 'not null')}`);
  }
}

function* referenceConditions({ tx, filters, isIn }: FilterQuery): Iterable<Condition> {
  const { counterpartyIds, seriesIds, importIds, tagsAny, tagsAll = [], tagsNone } = filters;
  if (counterpartyIds) yield on('counterpartyIds', isIn('counterparty_id', counterpartyIds));
  if (seriesIds) yield on('seriesIds', isIn('series_id', seriesIds));
  if (importIds) yield on('importIds', isIn('import_id', importIds));
  const carries = (tagIds: readonly string[]): RawBuilder<unknown> => {
    const [only] = tagIds;
    const isOne = tagIds.length === 1 ? sql`tt.tag_id = ${only}` : tx.portable.inList(sql.raw('tt.tag_id'), tagIds);
    return sql`exists (select 1 from transaction_tags tt where tt.transaction_id = t.id and ${isOne})`;
  };
  if (tagsAny) yield on('tagsAny', carries(tagsAny));
  for (const tagId of tagsAll) yield on('tagsAll', carries([tagId]));
  if (tagsNone) yield on('tagsNone', sql`not ${carries(tagsNone)}`);
}

function* stateConditions({ filters, column }: FilterQuery): Iterable<Condition> {
  const { pending, flagged, hasComment, updatedSince } = filters;
  if (pending !== undefined) yield on('pending', sql`t.pending = ${sql.lit(pending ? 1 : 0)}`);
  if (flagged === true) yield on('flagged', sql`t.flagged_at is not null`);
  if (flagged === false) yield on('flagged', sql`t.flagged_at is null`);
  if (hasComment !== undefined) {
    const has = sql`exists (select 1 from comments k where k.transaction_id = t.id and k.deleted_at is null)`;
    yield on('hasComment', hasComment ? has : sql`not ${has}`);
  }
  if (updatedSince !== undefined) yield on('updatedSince', sql`${column('updated_at')} >= ${updatedSince}`);
}

/** Which rows are spending; of rows of a table of totals, which have any. */
export function spendingCondition(
  { portable }: ReadTx,
  { is, categoryIds }: ResolvedSpending,
  isOutgoing: RawBuilder<unknown>,
  category: RawBuilder<unknown> = sql`t.category_id`,
): RawBuilder<unknown> {
  const among = portable.inList(category, categoryIds);
  if (is === 'gross') return sql`${isOutgoing} and (t.category_id is null or not ${among})`;
  return sql`(${among} or (t.category_id is null and ${isOutgoing}))`;
}

export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`1 = 1` : sql.join([...conditions], sql` and `);
}
