import { sql } from 'kysely';

import type { AccountLinksTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

/** Every link, newest first. */
export async function selectLinks(tx: ReadTx): Promise<AccountLinksTable[]> {
  return tx.q.selectFrom('account_links').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

/** The links in which any of these accounts is one of the two, oldest first. */
export async function selectLinksOf(tx: ReadTx, accountIds: readonly string[]): Promise<AccountLinksTable[]> {
  const isAmong = (column: string) => tx.portable.inList(sql.ref(column), accountIds);
  return tx.q
    .selectFrom('account_links')
    .selectAll()
    .where(sql<boolean>`(${isAmong('primary_account_id')} or ${isAmong('dependent_account_id')})`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** How many matches of each confidence links have; of one link, or of all. */
export async function tallyMatches(tx: ReadTx, linkId?: string): Promise<Map<string, MatchTally>> {
  const rows = await tx.q
    .selectFrom('transaction_matches')
    .select(['account_link_id', 'confidence', (all) => all.fn.countAll<number | string>().as('count')])
    .$if(linkId !== undefined, (query) => query.where('account_link_id', '=', linkId as string))
    .groupBy(['account_link_id', 'confidence'])
    .execute();
  const tallies = new Map<string, MatchTally>();
  for (const { account_link_id: id, confidence, count } of rows) {
    const tally = tallies.get(id) ?? { ...NO_MATCHES };
    tally[confidence as keyof MatchTally] = Number(count);
    tallies.set(id, tally);
  }
  return tallies;
}

export interface MatchTally {
  auto: number;
  confirmed: number;
  rejected: number;
}

export const NO_MATCHES: MatchTally = { auto: 0, confirmed: 0, rejected: 0 };
