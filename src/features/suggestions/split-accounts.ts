import type { AccountsTable } from '../../db/schema.ts';
import type { NetChange } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { accounts, followNewest } from '../accounts/index.ts';
import { splitTransaction, takeApart } from '../facets/index.ts';
import { OF_BANK, recordMoves, type AccountSide, type JoinRecord } from './join-accounts.ts';
import {
  forgetImportsOf,
  insertSnapshots,
  moveAccountAliases,
  moveSnapshots,
  moveSuggestions,
  replaceFeed,
  selectDeliveredUnder,
  selectEntered,
  selectFoundInFiles,
  selectMergedOtherwise,
  selectMoved,
  selectSnapshots,
  selectSyncedSince,
} from './join.queries.ts';
import { findFeed } from './proof.queries.ts';
import { askAgainLater } from './store-suggestions.ts';
import { separate } from './suggestions.queries.ts';

/** What the change of the older account keeps of a split, so that the two can be joined again. */
export interface SplitRecord {
  readonly newerId: string;
}

/**
 * Undoes a join, after whatever syncs came since (contract 30.8.1): what only the provider delivered returns to the newer
 * account, which is there again; what a file or a hand delivered too comes apart. The two are never joined again by proof.
 */
export async function splitAccounts(
  tx: WriteTx,
  { changeSetId, entityId: olderId }: NetChange,
  record: JoinRecord,
): Promise<void> {
  const [older, newer] = [await accounts.find(tx, olderId), await accounts.find(tx, record.newerId)];
  if (!older || !newer) throw new Error('Two accounts can only be split while both are there.');
  const feed = await findFeed(tx, older.id);
  // What the bank has said since is about the newer account.
  const { connection_id, provider } = newer;
  await accounts.change(tx, newer, { ...pick(older, OF_BANK), connection_id, provider });
  const split: SplitRecord = { newerId: newer.id };
  await accounts.change(tx, older, formerSide(older, record), { internal: { split } });
  // What the two had in common when they were joined again later.
  await takeApart(tx, await selectMergedOtherwise(tx, newer.id, older.id, changeSetId));
  const externalIds = await returnBankSide(tx, { older, newer }, record);
  await returnRows(tx, { older, newer }, externalIds, changeSetId);
  await moveSuggestions(tx, older.id, newer.id);
  await followNewest(tx, older.id);
  await followNewest(tx, newer.id);
  await separate(tx, [[newer.id, older.id]]);
  await askAgainLater(tx, { connectionId: feed?.connection_id ?? null, accountId: newer.id, olderId: older.id });
}

interface Two {
  readonly older: AccountsTable;
  readonly newer: AccountsTable;
}

/** What people changed since stays; the rest is as it was before the join. */
function formerSide(older: AccountsTable, { former, given }: JoinRecord): Partial<AccountSide> {
  const own = (['display_name', 'owner_user_id'] as const).filter((column) => older[column] === given[column]);
  const isBack = older.connection_id === given.connection_id;
  const ofBank = isBack ? OF_BANK : OF_BANK.filter((column) => column !== 'connection_id');
  return pick(former, [...ofBank, ...own, 'relinked_at']);
}

async function returnBankSide(tx: WriteTx, { older, newer }: Two, record: JoinRecord): Promise<string[]> {
  const { externalIds, joinedAt: since, snapshots, replaced, importIds } = record;
  const { provider } = record.given;
  const ids = await moveAccountAliases(tx, older.id, newer.id, { provider, among: externalIds, since });
  const feed = await findFeed(tx, older.id);
  const isTheirs =
    feed !== undefined && (ids.includes(feed.external_account_id) || externalIds.includes(feed.external_account_id));
  if (isTheirs) {
    await replaceFeed(tx, older.id, record.feed);
    await replaceFeed(tx, newer.id, { ...feed, is_own: 1, former_connection_id: null });
  }
  const keys = new Set(snapshots.map(([date, currency]) => `${date} ${currency}`));
  const reported = (await selectSnapshots(tx, older.id)).filter(
    (one) => keys.has(`${one.date} ${one.iso_currency_code}`) || (one.source === 'sync' && one.recorded_at > since),
  );
  await moveSnapshots(tx, reported, newer.id);
  await insertSnapshots(tx, replaced);
  await forgetImportsOf(tx, older.id, importIds);
  return [...new Set([...externalIds, ...ids])];
}

/** Transactions that the join merged come apart by themselves; these are all the others. */
async function returnRows(
  tx: WriteTx,
  { older, newer }: Two,
  externalIds: readonly string[],
  setId: string,
): Promise<void> {
  const moved = await selectMoved(tx, setId, older.id);
  const isMoved = new Set(moved.map(({ id }) => id));
  const delivered = (await selectDeliveredUnder(tx, older.id, newer.id, externalIds)).filter(
    ({ id }) => !isMoved.has(id),
  );
  const ids = delivered.map(({ id }) => id);
  const entered = await selectEntered(tx, ids);
  const isOfBoth = ({ id, isFromFile }: { id: string; isFromFile: boolean }): boolean => isFromFile || entered.has(id);
  const synced = await selectSyncedSince(tx, setId, ids);
  for (const { id } of delivered.filter(isOfBoth)) {
    // The bank's part leaves; this one is again what the file or the hand gave.
    await splitTransaction(tx, id, { accountId: newer.id, takes: 'feed', former: synced.get(id) ?? {} });
  }
  const returning = [...moved, ...delivered.filter((row) => !isOfBoth(row))];
  const inFiles = await selectFoundInFiles(
    tx,
    older.id,
    returning.map(({ id }) => id),
  );
  for (const { id, deletedAt } of returning) {
    const importId = deletedAt === null ? inFiles.get(id) : undefined;
    if (importId !== undefined) await splitTransaction(tx, id, { accountId: older.id, takes: 'values', importId });
  }
  await recordMoves(tx, returning, { from: older.id, to: newer.id });
}

function pick<T, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}
