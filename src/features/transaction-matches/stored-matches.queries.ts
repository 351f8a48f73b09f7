import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { amongAmounts, type Amounts } from './open-rows.queries.ts';
import type { MatchRow } from './transaction-matches.entity.ts';

const AT_ONCE = 5_000;

/** The `auto` matches of a link, of which one row at least has one of these amounts. */
export async function selectAutoMatches(tx: ReadTx, linkId: string, amounts: Amounts): Promise<MatchRow[]> {
  const isAuto = sql`m.account_link_id = ${linkId} and m.confidence = 'auto'`;
  if (amounts === null) return select(tx, sql`select m.* from transaction_matches m where ${isAuto}`);
  const bySide = (side: 'primary' | 'dependent'): RawBuilder<unknown> => sql`
    select m.* from transactions t join transaction_matches m on ${sql.ref(`m.${side}_transaction_id`)} = t.id
      and m.confidence <> 'rejected'
    where ${isAuto} ${amongAmounts(tx, 't.amount_cents', amounts)}`;
  return select(tx, sql`${bySide('primary')} union ${bySide('dependent')}`);
}

/** All matches of a link, rejected pairs too. */
export async function selectMatchesOfLink(tx: ReadTx, linkId: string): Promise<MatchRow[]> {
  return select(tx, sql`select * from transaction_matches where account_link_id = ${linkId}`);
}

/** Matches of any link, rejected pairs too, in which one of the rows is one of these. */
export async function selectMatchesOfRows(tx: ReadTx, transactionIds: Iterable<string>): Promise<MatchRow[]> {
  const ids = [...new Set(transactionIds)];
  const found = new Map<string, MatchRow>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const ofSide = (side: 'primary' | 'dependent'): RawBuilder<unknown> => {
      const isAmong = tx.portable.inList(sql.ref(`${side}_transaction_id`), some);
      // Each half has an index of its own.
      return sql`select * from transaction_matches where ${isAmong} and confidence <> 'rejected'
        union select * from transaction_matches where ${isAmong} and confidence = 'rejected'`;
    };
    const rows = await select(tx, sql`${ofSide('primary')} union ${ofSide('dependent')}`);
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function selectMatchesById(tx: ReadTx, ids: readonly string[]): Promise<Map<string, MatchRow>> {
  const found = new Map<string, MatchRow>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const list = tx.portable.inList(sql.ref('id'), ids.slice(start, start + AT_ONCE));
    for (const row of await select(tx, sql`select * from transaction_matches where ${list}`)) found.set(row.id, row);
  }
  return found;
}

async function select(tx: ReadTx, query: RawBuilder<unknown>): Promise<MatchRow[]> {
  return (await (query as RawBuilder<MatchRow>).execute(tx.q)).rows;
}

/** `auto` matches of links that are disabled: there are none but while a revert brings some back. */
export async function selectOfDisabledLinks(tx: ReadTx): Promise<MatchRow[]> {
  return select(
    tx,
    sql`select m.* from account_links l join transaction_matches m on m.account_link_id = l.id
      where l.is_enabled = 0 and m.confidence = 'auto'`,
  );
}

/** Amounts of the transactions with these ids. */
export async function selectAmounts(tx: ReadTx, ids: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ amount: number }>`select distinct amount_cents as amount from transactions
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return rows.map(({ amount }) => amount);
}

/** Accounts of the transactions with these ids. */
export async function selectAccountsOf(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct account_id as id from transactions
    where ${tx.portable.inList(sql.ref('id'), ids)}`.execute(tx.q);
  return rows.map(({ id }) => id);
}
