import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { matchCondition, noMatchCondition } from './search.queries.ts';
import type { ResolvedFilters } from './resolve-filters.ts';

/** A condition on `transactions t`, and by which filter. */
export interface Condition {
  filter: keyof ResolvedFilters;
  sql: RawBuilder<unknown>;
}

/**
 * Which columns the engine may look up by an index: all, the date alone (a walk along the dates), or none (a scan of
 * the index that covers totals; `texts`: of the one that covers merchants, which has no categories). Left to itself it
 * would pick a filter that matches most rows.
 */
export type Indexing = 'all' | 'date' | 'none' | 'texts';

/** Leaving out so few accounts is cheaper to test than being in the list of the others. */
const FEW_ACCOUNTS = 3;

/** The filters as conditions on `transactions t`; together they are the one meaning of "matches". */
export function conditionsOf(tx: ReadTx, filters: ResolvedFilters, indexing: Indexing = 'all'): Condition[] {
  const column = (name: string): RawBuilder<unknown> => {
    const isIndexed = indexing === 'all' || (indexing === 'date' && name === 'date');
    return isIndexed ? sql.raw(`t.${name}`) : tx.portable.unindexed(sql.raw(`t.${name}`));
  };
  const found: Condition[] = [];
  const add = (filter: keyof ResolvedFilters, condition: RawBuilder<unknown>): void => {
    found.push({ filter, sql: condition });
  };
  const isIn = (name: string, values: readonly string[]): RawBuilder<unknown> => {
    if (values.length === 0) return sql`1 = 0`;
    return values.length === 1 ? sql`${column(name)} = ${values[0]}` : tx.portable.inList(column(name), values);
  };
  add('deleted', filters.deleted ? sql`t.deleted_at is not null` : sql`t.deleted_at is null`);
  if (filters.dateFrom !== undefined) add('dateFrom', sql`${column('date')} >= ${filters.dateFrom}`);
  if (filters.dateTo !== undefined) add('dateTo', sql`${column('date')} <= ${filters.dateTo}`);
  if (filters.amountMin !== undefined) add('amountMin', sql`${column('amount_cents')} >= ${filters.amountMin}`);
  if (filters.amountMax !== undefined) add('amountMax', sql`${column('amount_cents')} <= ${filters.amountMax}`);
  if (filters.absMin !== undefined) add('absMin', sql`abs(t.amount_cents) >= ${filters.absMin}`);
  if (filters.absMax !== undefined) add('absMax', sql`abs(t.amount_cents) <= ${filters.absMax}`);
  if (filters.currencies) add('currencies', isIn('iso_currency_code', filters.currencies));
  if (filters.accountIds) {
    const out = filters.accountsLeftOut ?? [];
    const isFew = indexing === 'none' && out.length > 0 && out.length <= FEW_ACCOUNTS;
    const others = out.map((id) => sql`t.account_id <> ${id}`);
    add('accountIds', isFew ? sql.join(others, sql` and `) : isIn('account_id', filters.accountIds));
  }
  if (filters.owner) {
    const { userIds, accountIds } = filters.owner;
    const inherits = sql`(t.attributed_user_id is null and ${isIn('account_id', accountIds)})`;
    add('owner', sql`(${isIn('attributed_user_id', userIds)} or ${inherits})`);
  }
  if (filters.categoryIds) {
    const isInCategories =
      indexing === 'texts' ? isOfCategories(tx, filters.categoryIds) : isIn('category_id', filters.categoryIds);
    add('categoryIds', isInCategories);
  }
  if (filters.uncategorized !== undefined) {
    const isUncategorized = indexing === 'texts' ? isOneOf(tx, sql`x.category_id is null`) : sql`t.category_id is null`;
    add('uncategorized', filters.uncategorized ? isUncategorized : sql`not (${isUncategorized})`);
  }
  if (filters.counterpartyIds) add('counterpartyIds', isIn('counterparty_id', filters.counterpartyIds));
  if (filters.seriesIds) add('seriesIds', isIn('series_id', filters.seriesIds));
  if (filters.importIds) add('importIds', isIn('import_id', filters.importIds));
  const carries = (tagIds: readonly string[]): RawBuilder<unknown> =>
    sql`exists (select 1 from transaction_tags tt where tt.transaction_id = t.id and ${tx.portable.inList(sql.raw('tt.tag_id'), tagIds)})`;
  if (filters.tagsAny) add('tagsAny', carries(filters.tagsAny));
  for (const tagId of filters.tagsAll ?? []) add('tagsAll', carries([tagId]));
  if (filters.tagsNone) add('tagsNone', sql`not ${carries(filters.tagsNone)}`);
  if (filters.pending !== undefined) add('pending', sql`t.pending = ${sql.lit(filters.pending ? 1 : 0)}`);
  if (filters.flagged === true) add('flagged', sql`t.flagged_at is not null`);
  if (filters.flagged === false) add('flagged', sql`t.flagged_at is null`);
  if (filters.hasComment !== undefined) {
    const has = sql`exists (select 1 from comments k where k.transaction_id = t.id and k.deleted_at is null)`;
    add('hasComment', filters.hasComment ? has : sql`not ${has}`);
  }
  if (filters.updatedSince !== undefined) add('updatedSince', sql`${column('updated_at')} >= ${filters.updatedSince}`);
  if (filters.match) add('match', matchCondition(tx, filters.match));
  if (filters.exclude) add('exclude', noMatchCondition(tx, filters.exclude));
  return found;
}

/** Live rows of these categories, found in the categories' own index instead of in each row. */
export function isOfCategories(tx: ReadTx, ids: readonly string[]): RawBuilder<unknown> {
  return isOneOf(tx, tx.portable.inList(sql.raw('x.category_id'), ids));
}

function isOneOf({ portable }: ReadTx, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const { rowKey } = portable;
  return sql`${rowKey('t')} in (select ${rowKey('x')} from transactions x where ${condition} and x.deleted_at is null)`;
}

export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`1 = 1` : sql.join([...conditions], sql` and `);
}
