import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  allOf,
  conditionsOf,
  countUpTo,
  NO_FILTERS,
  resolveFilters,
  selectAccountFacts,
} from '../transactions/index.ts';
import type { NamedRow, Reason, WaitingRow } from './group-waiting.ts';

const REVIEW = 'needs-review';

/** What tells rows that wait from others, once the filters are resolved. */
export interface Waiting {
  /** UUID of the tag; null if the household has none. */
  readonly tagId: string | null;
  /** Of live rows, by the filters of the request. */
  readonly filtered: RawBuilder<unknown>;
  /** Whether the request restricts the rows. */
  readonly isFiltered: boolean;
  readonly undecided: RawBuilder<unknown>;
}

export interface ReviewFilter {
  user_id?: string[] | undefined;
  account_id?: string[] | undefined;
}

/** @throws INVALID_PARAMETER naming the filter */
export async function resolveWaiting(tx: ReadTx, { user_id, account_id }: ReviewFilter): Promise<Waiting> {
  const filters = {
    ...NO_FILTERS,
    ...(user_id === undefined ? {} : { user_id }),
    ...(account_id === undefined ? {} : { account_id }),
  };
  const resolved = await resolveFilters(tx, filters, 'include');
  const tag = await tx.q.selectFrom('tags').select('id').where('slug', '=', REVIEW).executeTakeFirst();
  return {
    tagId: tag?.id ?? null,
    filtered: allOf(conditionsOf(tx, resolved, 'none').map((one) => one.sql)),
    isFiltered: user_id !== undefined || account_id !== undefined,
    undecided: allOf([UNDECIDED, await countingAccounts(tx)]),
  };
}

/** Nobody has chosen a category, not even none. */
const UNDECIDED = sql`t.category_id is null and t.category_source is null`;

/** Rows of accounts that count in totals. */
async function countingAccounts(tx: ReadTx): Promise<RawBuilder<unknown>> {
  const facts = await selectAccountFacts(tx);
  const counting = facts.filter((one) => one.is_excluded === 0 && one.is_dependent_linked === 0);
  if (counting.length === facts.length) return sql`1 = 1`;
  const ids = counting.map(({ id }) => id);
  return tx.portable.inList(tx.portable.unindexed(sql.ref('t.account_id')), ids);
}

// Of other rows the name says nothing about their kind.
const COLUMNS = sql.raw(`t.id, t.date, t.amount_cents, t.iso_currency_code,
  case when t.counterparty_id is null and t.merchant_text_id is null then t.name end, t.name_text_id, t.merchant_text_id,
  t.counterparty_id, t.category_id`);
type Columns = [
  id: string,
  date: string,
  cents: number,
  currency: string | null,
  name: string | null,
  nameTextId: number,
  merchantTextId: number | null,
  counterpartyId: string | null,
  categoryId: string | null,
];
const NEWEST_FIRST = sql.raw('order by t.date desc, t.id desc');

/** The newest rows that wait for a reason, newest first, from a day on if one is given. */
export async function selectWaiting(
  tx: ReadTx,
  waiting: Waiting,
  reason: Reason,
  { limit, since }: { limit: number; since: string | null },
): Promise<WaitingRow[]> {
  const source = await sourceOf(tx, waiting, reason);
  if (!source) return [];
  const recent = since === null ? sql`` : sql`and t.date >= ${since}`;
  const query = sql`select ${COLUMNS} ${source} ${recent} ${NEWEST_FIRST} limit ${sql.lit(limit)}`;
  const rows = (await tx.values(query.compile(tx.q))) as unknown as readonly Columns[];
  return rows.map(([id, date, cents, currency, name, nameTextId, merchantTextId, counterpartyId, categoryId]) => ({
    reason,
    id,
    date,
    amount_cents: cents,
    iso_currency_code: currency,
    name: name ?? '',
    name_text_id: nameTextId,
    merchant_text_id: merchantTextId,
    counterparty_id: counterpartyId,
    category_id: categoryId,
  }));
}

export async function countWaiting(tx: ReadTx, waiting: Waiting, reason: Reason): Promise<number> {
  const source = await sourceOf(tx, waiting, reason);
  if (!source) return 0;
  const { rows } = await sql<{ n: number }>`select count(*) as n ${source}`.execute(tx.q);
  return rows[0]?.n ?? 0;
}

/** The rows of a reason; undefined if none can have it. */
async function sourceOf(tx: ReadTx, waiting: Waiting, reason: Reason): Promise<RawBuilder<unknown> | undefined> {
  const { tagId, filtered, undecided } = waiting;
  const tagged = sql`exists (select 1 from transaction_tags tt where tt.transaction_id = t.id and tt.tag_id = ${tagId})`;
  const untagged = tagId === null ? sql`1 = 1` : sql`not ${tagged}`;
  if (reason === 'needs_review') return tagId === null ? undefined : taggedRows(tx, tagId, tagged, filtered);
  if (reason === 'uncategorized') {
    const rows = tx.portable.readBy('transactions', 't', 'transactions_undecided');
    return sql`from ${rows} where ${undecided} and ${filtered} and ${untagged}`;
  }
  const rows = tx.portable.readBy('transactions', 't', 'transactions_flagged');
  return sql`from ${rows} where t.flagged_at is not null and ${filtered} and ${untagged} and not (${undecided})`;
}

/** By the tag if few rows have it. A large first import tags every row: then along the dates. */
async function taggedRows(
  tx: ReadTx,
  tagId: string,
  tagged: RawBuilder<unknown>,
  filtered: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const pairs = sql`select 1 from transaction_tags where tag_id = ${tagId}`;
  if ((await countUpTo(tx, LIMITS.reviewRowsByTag, pairs)) === LIMITS.reviewRowsByTag) {
    const rows = tx.portable.readBy('transactions', 't', 'transactions_by_date');
    return sql`from ${rows} where ${filtered} and ${tagged}`;
  }
  return sql`from transaction_tags mark ${tx.portable.orderedJoin} transactions t on t.id = mark.transaction_id
    where mark.tag_id = ${tagId} and ${filtered}`;
}

/** The newest rows whose category a person chose. */
export async function selectChosen(tx: ReadTx): Promise<NamedRow[]> {
  const rows = tx.portable.readBy('transactions', 't', 'transactions_by_person');
  const found = await sql<NamedRow>`select t.amount_cents, t.name, t.name_text_id, t.merchant_text_id, t.counterparty_id
    from ${rows} where t.category_source = 'person' and t.category_id is not null and t.deleted_at is null
    ${NEWEST_FIRST} limit ${sql.lit(LIMITS.reviewChoices)}`.execute(tx.q);
  return found.rows;
}

export interface DecidedRow {
  name: string;
  category_id: string | null;
  category_source: string | null;
}

/** Live rows of a kind and sign that anybody has decided, newest first. */
export async function selectDecided(
  tx: ReadTx,
  { isOut, ...kind }: { isOut: boolean; counterpartyId?: string; merchantTextId?: number; nameTextIds?: number[] },
  limit: number,
): Promise<DecidedRow[]> {
  const [source, which] = kindOf(tx, kind);
  const sign = sql.raw(isOut ? 't.amount_cents >= 0' : 't.amount_cents < 0');
  const { rows } = await sql<DecidedRow>`select t.name, t.category_id, t.category_source from ${source}
    where ${which} and t.deleted_at is null and ${sign} and not (${UNDECIDED})
    ${NEWEST_FIRST} limit ${sql.lit(limit)}`.execute(tx.q);
  return rows;
}

function kindOf(
  { portable }: ReadTx,
  kind: { counterpartyId?: string; merchantTextId?: number; nameTextIds?: number[] },
): [source: RawBuilder<unknown>, which: RawBuilder<unknown>] {
  const { counterpartyId, merchantTextId, nameTextIds = [] } = kind;
  if (counterpartyId !== undefined) {
    const source = portable.readBy('transactions', 't', 'transactions_by_counterparty');
    return [source, sql`t.counterparty_id = ${counterpartyId}`];
  }
  const unbound = sql`${portable.unindexed(sql.ref('t.counterparty_id'))} is null`;
  if (merchantTextId !== undefined) {
    const source = portable.readBy('transactions', 't', 'transactions_by_merchant_text');
    return [source, sql`t.merchant_text_id = ${merchantTextId} and ${unbound}`];
  }
  const source = portable.readBy('transactions', 't', 'transactions_by_name_text');
  const named = portable.inList(sql.ref('t.name_text_id'), nameTextIds);
  return [source, sql`${named} and ${unbound} and ${portable.unindexed(sql.ref('t.merchant_text_id'))} is null`];
}

/** Ids of the newest texts that contain a folded word. */
export async function selectTextsWith(tx: ReadTx, word: string, trigrams: readonly string[]): Promise<number[]> {
  const found = tx.portable.textsContaining(word, trigrams);
  const { rows } = await sql<{ id: number }>`select id from (${found}) as found
    order by id desc limit ${sql.lit(LIMITS.reviewTexts)}`.execute(tx.q);
  return rows.map(({ id }) => id);
}
