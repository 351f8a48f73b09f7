import type { AccountsTable, BalanceSnapshotsTable } from '../../db/schema.ts';
import { planAccountRows } from '../../engines/sync/plan-account-rows.ts';
import type { AccountPlan, BankRow } from '../../engines/sync/account-plan.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { moveLinks } from '../account-links/index.ts';
import { accounts, followNewest } from '../accounts/index.ts';
import { findConnectionOf } from '../connections/index.ts';
import { mergeTransactions } from '../facets/index.ts';
import { retargetRules } from '../rules/index.ts';
import {
  leadImportsTo,
  moveAccountAliases,
  moveRows,
  moveSnapshots,
  moveSuggestions,
  replaceFeed,
  selectRowsOf,
  selectSnapshots,
} from './join.queries.ts';
import type { StoredRow } from '../ledger-rows/index.ts';
import { findFeed, type AccountFeed } from './proof.queries.ts';
import { storeSuggestions } from './store-suggestions.ts';
import { selectSeparated } from './suggestions.queries.ts';

/** What the change of the older account keeps, so that the two can be split, whatever comes later. */
export interface JoinRecord {
  readonly newerId: string;
  readonly joinedAt: string;
  /** The older account as it was, and as the join made it. */
  readonly former: AccountSide;
  readonly given: AccountSide;
  readonly feed: AccountFeed | null;
  /** External account ids that moved. */
  readonly externalIds: readonly string[];
  /** Day and currency of the snapshots that moved, and those that they replaced. */
  readonly snapshots: readonly (readonly [string, string])[];
  readonly replaced: readonly BalanceSnapshotsTable[];
  readonly importIds: readonly string[];
}

/** Columns of an account that follow the bank, or change with it. */
export type AccountSide = Pick<AccountsTable, (typeof SIDE)[number]>;

export const OF_BANK = [
  'connection_id',
  'provider',
  'institution_name',
  'external_id',
  'persistent_external_id',
  'name',
  'official_name',
  'type',
  'subtype',
  'mask',
  'iso_currency_code',
] as const;
const SIDE = [...OF_BANK, 'display_name', 'owner_user_id', 'relinked_at'] as const;

const MOVED = { moved: true } as const;
const transactions = journalOf('transaction');

/**
 * Makes one account of two (contract 30.8.1): the older one lives on with its id, and the bank that delivers the newer one
 * delivers it. What both have is merged, the rest moves, and the newer account goes.
 */
export async function joinAccounts(tx: WriteTx, newer: AccountsTable, older: AccountsTable): Promise<void> {
  const feed = await findFeed(tx, newer.id);
  if (!feed) throw new Error('An account that no bank delivers cannot be joined to another.');
  await joinRows(tx, newer, older, feed);
  await retargetRules(tx, newer.id, older.id);
  await moveLinks(tx, newer.id, older.id);
  const moved = await moveBankSide(tx, newer, older, feed);
  const given = await joinedSide(tx, newer, older);
  const record: JoinRecord = { newerId: newer.id, joinedAt: tx.now, former: sideOf(older), given, ...moved };
  await accounts.change(tx, older, given, { internal: { join: record } });
  await accounts.remove(tx, newer);
  await followNewest(tx, older.id);
  const [one, other] = [older, newer].map(({ display_name: shown, name }) => shown ?? name);
  tx.journal.summarise(`Joined the accounts ${one} and ${other}: their transactions show that they are the same`);
}

function sideOf(account: AccountsTable): AccountSide {
  return Object.fromEntries(SIDE.map((column) => [column, account[column]])) as unknown as AccountSide;
}

async function joinedSide(tx: WriteTx, newer: AccountsTable, older: AccountsTable): Promise<AccountSide> {
  const [bank, former] = [
    await findConnectionOf(tx, newer.connection_id),
    await findConnectionOf(tx, older.connection_id),
  ];
  const formerOwner = older.owner_user_id ?? former?.user_id ?? null;
  const ofBank = Object.fromEntries(OF_BANK.map((column) => [column, newer[column]])) as unknown as Pick<
    AccountsTable,
    (typeof OF_BANK)[number]
  >;
  return {
    ...ofBank,
    mask: newer.mask ?? older.mask,
    iso_currency_code: newer.iso_currency_code ?? older.iso_currency_code,
    display_name: older.display_name ?? (older.name === newer.name ? null : older.name),
    owner_user_id: bank?.user_id === formerOwner ? older.owner_user_id : formerOwner,
    relinked_at: tx.now,
  };
}

/** Transactions of the newer account that the older one has too are merged into its own (R3 of 30.8.3); others move. */
async function joinRows(tx: WriteTx, newer: AccountsTable, older: AccountsTable, feed: AccountFeed): Promise<void> {
  const known = await selectRowsOf(tx, older.id);
  const rows = await selectRowsOf(tx, newer.id);
  // What a provider withdrew, or a revert took out, is not what anyone would look for.
  const placed = rows.filter(({ deletedCause: cause }) => cause === null || cause === 'person' || cause === 'agent');
  const plan = planAccountRows(
    {
      namespace: newer.provider,
      externalAccountId: feed.external_account_id,
      delivery: 'changes',
      rowIds: 'lasting',
      rows: placed.map((row) => toBankRow(row, feed)),
      removedIds: [],
      read: null,
      unreadableIds: new Set(),
      isCompleteRead: false,
      answeredFrom: null,
      relinkedAt: tx.now,
      now: tx.now,
    },
    { rows: known, elsewhere: [], leaving: new Set(), aliases: new Map(), separated: await selectSeparated(tx) },
  );
  const pairs = pairsOf(plan, placed);
  await mergeTransactions(tx, pairs, { isOfJoin: true });
  const merged = new Set(pairs.map((pair) => pair.newer));
  await recordMoves(
    tx,
    rows.filter(({ id }) => !merged.has(id)),
    { from: newer.id, to: older.id },
  );
  await moveSuggestions(tx, newer.id, older.id);
  await suggestDuplicates(tx, plan, placed, { connectionId: feed.connection_id, accountId: older.id });
}

function toBankRow(row: StoredRow, { external_account_id: externalAccountId }: AccountFeed): BankRow {
  const { date, authorizedDate, amountCents, currency, name, merchantName, pending, categoryPrimary } = row;
  return {
    externalId: row.feed?.externalId ?? null,
    externalAccountId,
    pendingExternalId: null,
    pending,
    date,
    authorizedDate,
    amountCents,
    currency,
    name,
    merchantName,
    categoryPrimary,
    categoryDetailed: row.categoryDetailed,
  };
}

function pairsOf(plan: AccountPlan, placed: readonly StoredRow[]): { newer: string; survivor: string }[] {
  const taken = new Set<string>();
  return plan.decisions.flatMap(({ row, known }) => {
    const newer = placed[row];
    if (!known || !newer || taken.has(known.id)) return [];
    taken.add(known.id);
    return [{ newer: newer.id, survivor: known.id }];
  });
}

/** Moves transactions to another account and records it; what happens to the accounts undoes it. */
export async function recordMoves(
  tx: WriteTx,
  rows: readonly Pick<StoredRow, 'id' | 'shortId'>[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  await moveRows(
    tx,
    rows.map(({ id }) => id),
    to,
  );
  for (const { id, shortId } of rows) {
    const fields = { before: { account_id: from }, after: { account_id: to } };
    transactions.changed(tx, { id, short_id: shortId }, fields, { internal: MOVED });
  }
  await tx.journal.flushIfLarge();
}

async function suggestDuplicates(
  tx: WriteTx,
  { suggestions }: AccountPlan,
  placed: readonly StoredRow[],
  where: { connectionId: string; accountId: string },
): Promise<void> {
  const idOf = (subject: AccountPlan['suggestions'][number]['of']): string =>
    'row' in subject ? (placed[subject.row] as StoredRow).id : subject.transactionId;
  await storeSuggestions(
    tx,
    suggestions.map(({ kind, of, candidates }) => ({
      kind,
      ...where,
      transactionId: idOf(of),
      candidates: candidates.map((one) => ({ transaction_id: idOf(one.of), reasons: one.reasons })),
    })),
  );
}

/** What the provider knows the account by, its position and its balances. */
async function moveBankSide(
  tx: WriteTx,
  newer: AccountsTable,
  older: AccountsTable,
  feed: AccountFeed,
): Promise<Pick<JoinRecord, 'feed' | 'externalIds' | 'snapshots' | 'replaced' | 'importIds'>> {
  const externalIds = await moveAccountAliases(tx, newer.id, older.id, { provider: newer.provider });
  const former = (await findFeed(tx, older.id)) ?? null;
  const home = await findConnectionOf(tx, older.connection_id);
  const csvId = home?.provider === 'csv' ? home.id : (former?.former_connection_id ?? null);
  await replaceFeed(tx, newer.id, null);
  await replaceFeed(tx, older.id, { ...feed, is_own: 0, former_connection_id: csvId });
  const snapshots = await selectSnapshots(tx, newer.id);
  const replaced = await moveSnapshots(tx, snapshots, older.id);
  const importIds = await leadImportsTo(tx, newer.id, older.id);
  return {
    feed: former,
    externalIds,
    snapshots: snapshots.map((one) => [one.date, one.iso_currency_code] as const),
    replaced,
    importIds,
  };
}
