import type { AccountLinksTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import type { Pair } from '../../engines/links/match-rows.ts';
import { selectUnsettled, settleAttribution } from './attribution.ts';
import { insertPairs } from './insert-matches.ts';
import { countMatches, type Reconciliation } from './link-counts.queries.ts';

export type { Reconciliation } from './link-counts.queries.ts';
import { isOlder, selectEnabledLinks, sidesOf, type Amounts } from './open-rows.queries.ts';
import { matchedOn, openPairing, type Pairing } from './plan-matches.ts';
import {
  selectAccountsOf,
  selectAmounts,
  selectAutoMatches,
  selectMatchesOfLink,
  selectMatchesOfRows,
} from './stored-matches.queries.ts';
import { transactionMatches, type MatchRow } from './transaction-matches.entity.ts';

type Link = AccountLinksTable;

/**
 * Brings the `auto` matches of an enabled link in line with the rows of its accounts, then those of newer links that
 * share an account (contract 50.1.5). Twice in a row, the second time changes nothing. `pairing` is that of a new link, as
 * `planMatches` has read it in this transaction.
 */
export async function reconcileLink(tx: WriteTx, link: Link, pairing?: Pairing): Promise<Reconciliation> {
  await reconcileNewer(tx, link, await reconcileOne(tx, link, null, pairing), null);
  return countMatches(tx, link);
}

/** The same for rows with these amounts only: rows with different amounts do not affect each other. */
export async function reconcileRows(tx: WriteTx, link: Link, amounts: Amounts): Promise<void> {
  await reconcileNewer(tx, link, await reconcileOne(tx, link, amounts), amounts);
}

/** Reconciles the links around matches that people decided: rows set free find their next partner at once (50.2.2). */
export async function reconcileAround(tx: WriteTx, matches: readonly MatchRow[]): Promise<void> {
  const amounts = new Set(await selectAmounts(tx, rowsOf(matches)));
  await reconcileAccounts(tx, await selectAccountsOf(tx, rowsOf(matches)), amounts);
}

/** Reconciles every enabled link of these accounts, the oldest first. */
async function reconcileAccounts(tx: WriteTx, accountIds: readonly string[], amounts: Amounts): Promise<void> {
  for (const link of await selectEnabledLinks(tx, accountIds)) await reconcileRows(tx, link, amounts);
}

/** Ends the matches of a link that is disabled (`auto`) or deleted (`all`, the memory of rejected pairs too). */
export async function releaseLink(tx: WriteTx, link: Link, which: 'auto' | 'all'): Promise<void> {
  const matches = await selectMatchesOfLink(tx, link.id);
  const ended = which === 'all' ? matches : matches.filter(({ confidence }) => confidence === 'auto');
  await transactionMatches.removeMany(tx, ended);
  const live = matches.filter(({ confidence }) => confidence !== 'rejected');
  await settleAttribution(tx, live.map(primaryOf), { ended: link.id });
  await reconcileNewer(tx, link, ended, null);
}

function primaryOf({ primary_transaction_id: id }: MatchRow): string {
  return id;
}

/** Links that may now pair what an older link set free, or no longer what it took. */
async function reconcileNewer(tx: WriteTx, link: Link, changed: readonly MatchRow[], amounts: Amounts): Promise<void> {
  let looked = amounts;
  const markNewer = async (from: Link, matches: readonly MatchRow[]): Promise<Link[]> => {
    if (matches.length === 0) return [];
    if (looked) looked = new Set([...looked, ...(await selectAmounts(tx, rowsOf(matches)))]);
    const sharing = await selectEnabledLinks(tx, [from.primary_account_id, from.dependent_account_id]);
    return sharing.filter((one) => isOlder(from, one));
  };
  let waiting = await markNewer(link, changed);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const more = await markNewer(next, await reconcileOne(tx, next, looked));
    const known = new Set(waiting.map(({ id }) => id));
    waiting = [...waiting, ...more.filter(({ id }) => !known.has(id))].sort((a, b) => (isOlder(a, b) ? -1 : 1));
  }
}

function rowsOf(matches: readonly MatchRow[]): string[] {
  return matches.flatMap((match) => [match.primary_transaction_id, match.dependent_transaction_id]);
}

/** Steps 2 to 8 of 50.1.5 for one link. Answers the matches that came and went. */
async function reconcileOne(tx: WriteTx, link: Link, amounts: Amounts, known?: Pairing): Promise<MatchRow[]> {
  const pairing = known ?? (await openPairing(tx, await sidesOf(tx, link), link.id, amounts));
  const wanted = new Map(pairing.pairsAt(link.match_tolerance_days).map((pair) => [keyOfPair(pair), pair]));
  const gone: MatchRow[] = [];
  const relabelled: { row: MatchRow; patch: { matched_on: string } }[] = [];
  for (const row of await selectAutoMatches(tx, link.id, amounts)) {
    const key = `${row.primary_transaction_id} ${row.dependent_transaction_id}`;
    const pair = wanted.get(key);
    const matched_on = pair ? JSON.stringify(matchedOn(pair)) : '';
    if (!pair) gone.push(row);
    else if (matched_on !== row.matched_on) relabelled.push({ row, patch: { matched_on } });
    wanted.delete(key);
  }
  // In the order of the table, which is how its indexes are written fastest.
  const added = [...wanted.values()].sort((a, b) => (a.primary.id < b.primary.id ? -1 : 1));
  gone.push(...(await selectDisplaced(tx, link, added)));
  await transactionMatches.removeMany(tx, gone);
  await transactionMatches.changeMany(tx, relabelled);
  const created = await insertPairs(tx, link.id, added);
  const changed = [...gone, ...created];
  const unsettled = amounts === null ? await selectUnsettled(tx, link.id) : [];
  await settleAttribution(tx, [...changed.map(primaryOf), ...unsettled]);
  return changed;
}

function keyOfPair({ primary, dependent }: Pair): string {
  return `${primary.id} ${dependent.id}`;
}

/** `auto` matches of newer links that hold a row of these pairs. */
async function selectDisplaced(tx: WriteTx, link: Link, pairs: readonly Pair[]): Promise<MatchRow[]> {
  const others = await selectEnabledLinks(tx, [link.primary_account_id, link.dependent_account_id]);
  if (!others.some((other) => isOlder(link, other))) return [];
  const matches = await selectMatchesOfRows(
    tx,
    pairs.flatMap(({ primary, dependent }) => [primary.id, dependent.id]),
  );
  return matches.filter((match) => match.confidence === 'auto' && match.account_link_id !== link.id);
}
