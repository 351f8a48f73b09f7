import type { AccountsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { HistoryRow } from '../../engines/matching/proof-by-rows.ts';
import {
  recogniseAccounts,
  type AccountHistory,
  type OtherHistory,
  type SameAccountVerdict,
} from '../../engines/matching/same-account.ts';
import { pairKey, type BankRow } from '../../engines/sync/account-plan.ts';
import type { Origin, WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { DAY_MS, dayNumber, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { accounts } from '../accounts/index.ts';
import type { Instance } from '../handler.ts';
import { writeLedger } from '../touched-rows.ts';
import { joinAccounts } from './join-accounts.ts';
import { isOfLiveBank, selectNewAccounts, selectOthers, selectPosted } from './proof.queries.ts';
import type { SameAccount } from './store-suggestions.ts';
import { selectSeparated } from './suggestions.queries.ts';

/** What a sync is about to store in one of its accounts. */
export interface IncomingRows {
  readonly externalAccountId: string;
  readonly rows: readonly Pick<BankRow, 'externalId' | 'pending' | 'date' | 'amountCents' | 'currency'>[];
  /** External ids that the provider removed. */
  readonly removedIds: readonly string[];
}

export interface Proving {
  readonly connectionId: string;
  readonly incoming: readonly IncomingRows[];
  /** The bank has delivered its whole history, this sync included: accounts without proof are asked about. */
  readonly isHistoryComplete: boolean;
  /** That of the sync's own commit. */
  readonly origin: Origin;
  /** Throws if the sync no longer holds its lease. */
  readonly fence: (tx: WriteTx) => Promise<unknown>;
}

export interface Proof {
  /** What each joined account became part of, by its former id. If there are any, the sync must be planned again. */
  readonly joined: ReadonlyMap<string, string>;
  /** What the sync's commit is to ask, with `suggestSameAccount`. */
  readonly suggestions: readonly SameAccount[];
}

const NOTHING: Proof = { joined: new Map(), suggestions: [] };

/**
 * Compares the accounts that syncs made within the last days, and that this one brings rows, with those that they may be
 * (contract 30.8.1, proof by rows). What is proved is joined here, each in a write of its own.
 */
export async function proveAccounts(instance: Instance, proving: Proving): Promise<Proof> {
  const { connectionId, incoming, isHistoryComplete } = proving;
  if (!incoming.some(({ rows }) => rows.length > 0)) return NOTHING;
  const since = instantAfter(instantNow(instance.clock), -LIMITS.accountProofDays * DAY_MS);
  const verdicts = await instance.database.read((tx) => compare(tx, connectionId, incoming, since));
  const joined = new Map<string, string>();
  const suggestions: SameAccount[] = [];
  for (const verdict of verdicts) {
    if (verdict.joins !== null && (await joinProved(instance, proving, verdict.accountId, verdict.joins))) {
      joined.set(verdict.accountId, verdict.joins);
    }
    if (isHistoryComplete && verdict.askAbout.length > 0) suggestions.push(toSuggestion(connectionId, verdict));
  }
  return { joined, suggestions };
}

async function compare(
  tx: ReadTx,
  connectionId: string,
  incoming: readonly IncomingRows[],
  since: string,
): Promise<SameAccountVerdict[]> {
  const fresh = await selectNewAccounts(tx, connectionId, since);
  const sources = new Map(fresh.map((account) => [account.feed_external_id, account.id]));
  const rowsOf = new Map(incoming.map((one) => [sources.get(one.externalAccountId), one]));
  if (!fresh.some(({ id }) => (rowsOf.get(id)?.rows.length ?? 0) > 0)) return [];
  const others: OtherHistory[] = [];
  for (const other of await selectOthers(tx, connectionId)) {
    others.push({ ...(await historyOf(tx, other, undefined)), isLiveBank: isOfLiveBank(other) });
  }
  if (others.length === 0) return [];
  const newer: AccountHistory[] = [];
  for (const account of fresh) newer.push(await historyOf(tx, account, rowsOf.get(account.id)));
  const separated = await selectSeparated(tx);
  const verdicts = recogniseAccounts(newer, others, (one, other) => separated.has(pairKey(one, other)));
  return verdicts.filter(({ accountId }) => (rowsOf.get(accountId)?.rows.length ?? 0) > 0);
}

async function historyOf(
  tx: ReadTx,
  account: AccountsTable,
  incoming: IncomingRows | undefined,
): Promise<AccountHistory> {
  const rows = incoming?.rows ?? [];
  const said = new Set([
    ...(incoming?.removedIds ?? []),
    ...rows.flatMap(({ externalId: id }) => (id === null ? [] : [id])),
  ]);
  const stored = await selectPosted(tx, account.id, said);
  const arriving = rows
    .filter(({ pending }) => !pending)
    .map((row): HistoryRow => ({ day: dayNumber(row.date), amountCents: row.amountCents, currency: row.currency }));
  const { id, iso_currency_code: currency, mask } = account;
  return { accountId: id, currency, mask, rows: [...stored, ...arriving] };
}

/** Joins what is still as it was compared. Answers whether it did. */
async function joinProved(
  instance: Instance,
  { connectionId, origin, fence }: Proving,
  newerId: string,
  olderId: string,
): Promise<boolean> {
  const { value } = await writeLedger(instance, { ...origin, action: 'account.join' }, async (tx) => {
    await fence(tx);
    const [newer, older] = [await accounts.find(tx, newerId), await accounts.find(tx, olderId)];
    const other = (await selectOthers(tx, connectionId)).find(({ id }) => id === olderId);
    const isApart = (await selectSeparated(tx)).has(pairKey(newerId, olderId));
    if (!newer || !older || !other || isOfLiveBank(other) || isApart) return false;
    await joinAccounts(tx, newer, older);
    return true;
  });
  return value;
}

function toSuggestion(connectionId: string, { accountId, askAbout }: SameAccountVerdict): SameAccount {
  const list = askAbout.map((one) => ({
    account_id: one.accountId,
    pair_count: one.pairCount,
    overlap_count: one.sharedCount,
  }));
  return { connectionId, accountId, accounts: list };
}
