import { sql, type RawBuilder } from 'kysely';

import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { LinkedRow } from '../../engines/links/match-rows.ts';
import { dayNumber } from '../../kernel/dates.ts';
import { isBaseRow, type Side } from './link-counts.queries.ts';

const AT_ONCE = 5_000;

/** Amounts in cents to look at; null for all. */
export type Amounts = ReadonlySet<number> | null;

/** The two accounts of a link, and the links that come before it. */
export interface Sides {
  readonly primaryId: string;
  readonly dependentId: string;
  /** Enabled links that were there before it and share an account with it: what they found is not open to it. */
  readonly olderIds: readonly string[];
}

type Link = Pick<AccountLinksTable, 'id' | 'created_at' | 'primary_account_id' | 'dependent_account_id'>;

/** The enabled links that share an account with these, oldest first. */
export async function selectEnabledLinks(tx: ReadTx, accountIds: readonly string[]): Promise<AccountLinksTable[]> {
  if (accountIds.length === 0) return [];
  const among = (column: string): RawBuilder<boolean> => tx.portable.inList(sql.ref(column), accountIds);
  const { rows } = await sql<AccountLinksTable>`select * from account_links
    where is_enabled = 1 and (${among('primary_account_id')} or ${among('dependent_account_id')})
    order by created_at, id`.execute(tx.q);
  return rows;
}

export async function sidesOf(tx: ReadTx, link: Link): Promise<Sides> {
  const { primary_account_id: primaryId, dependent_account_id: dependentId } = link;
  const others = await selectEnabledLinks(tx, [primaryId, dependentId]);
  return { primaryId, dependentId, olderIds: others.filter((one) => isOlder(one, link)).map(({ id }) => id) };
}

export function isOlder(one: Pick<Link, 'id' | 'created_at'>, other: Pick<Link, 'id' | 'created_at'>): boolean {
  return one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);
}

/** Rows of one account that a link may pair (50.1.5, steps 1 and 2). */
export async function selectOpenRows(tx: ReadTx, sides: Sides, side: Side, amounts: Amounts): Promise<LinkedRow[]> {
  const accountId = side === 'primary' ? sides.primaryId : sides.dependentId;
  const older = tx.portable.inList(sql.ref('m.account_link_id'), sides.olderIds);
  // With few amounts, their index finds the rows; without, that of the account.
  const account = amounts ? tx.portable.unindexed(sql.ref('t.account_id')) : sql.ref('t.account_id');
  const query = sql`
    select t.id, t.date, t.amount_cents, t.iso_currency_code, t.name_text_id, t.merchant_text_id
    from transactions t
    where ${account} = ${accountId} and ${isBaseRow} ${amongAmounts(tx, 't.amount_cents', amounts)}
      and not exists (select 1 from transaction_matches m where ${sql.ref(`m.${side}_transaction_id`)} = t.id
        and m.confidence <> 'rejected' and (m.confidence = 'confirmed' or (m.confidence = 'auto' and ${older})))`.compile(
    tx.q,
  );
  const days = new Map<string, number>();
  return (await tx.values(query)).map((values) => toLinkedRow(values as StoredRow, days));
}

type StoredRow = readonly [
  id: string,
  date: string,
  amount: number,
  currency: string | null,
  name: number,
  merchant: number | null,
];

function toLinkedRow([id, date, amount, currency, name, merchant]: StoredRow, days: Map<string, number>): LinkedRow {
  let day = days.get(date);
  if (day === undefined) {
    day = dayNumber(date);
    days.set(date, day);
  }
  return { id, day, amountCents: amount, currency, name, merchant };
}

export function amongAmounts(tx: ReadTx, column: string, amounts: Amounts): RawBuilder<unknown> {
  return amounts ? sql`and ${tx.portable.inList(sql.ref(column), [...amounts])}` : sql``;
}

export async function selectTexts(tx: ReadTx, ids: ReadonlySet<number>): Promise<Map<number, string>> {
  const list = [...ids];
  const found = new Map<number, string>();
  for (let start = 0; start < list.length; start += AT_ONCE) {
    const among = tx.portable.inList(sql.ref('id'), list.slice(start, start + AT_ONCE));
    const rows = await tx.values(sql`select id, folded from texts where ${among}`.compile(tx.q));
    for (const [id, folded] of rows as readonly [number, string][]) found.set(id, folded);
  }
  return found;
}

/** Ids of primary rows by the dependent row that somebody said they do not go with. */
export async function selectRejected(tx: ReadTx, linkId: string): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ primary: string; dependent: string }>`
    select primary_transaction_id as "primary", dependent_transaction_id as dependent from transaction_matches
    where account_link_id = ${linkId} and confidence = 'rejected'`.execute(tx.q);
  const found = new Map<string, Set<string>>();
  for (const { primary, dependent } of rows) {
    found.set(dependent, (found.get(dependent) ?? new Set()).add(primary));
  }
  return found;
}
