import type { ConnectionsTable } from '../../../db/schema.ts';
import { write, type WriteTx } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { ProviderTraits } from '../../../providers/provider.ts';
import { providerMapping } from '../../categories/index.ts';
import { findConnectionOf } from '../../connections/index.ts';
import type { Instance } from '../../handler.ts';
import { tellOfFlagged } from '../../notifications/index.ts';
import { openIngestion, type IngestionOutcome } from '../../rules/index.ts';
import { suggestSameAccount } from '../../suggestions/index.ts';
import { endingMatches } from '../../touched-rows.ts';
import { pulledTo } from '../../webhooks/index.ts';
import { putFeed, selectFeeds } from '../accounts/account-feeds.queries.ts';
import { attachAccounts, bankOf, type AttachedAccount } from '../accounts/attach-accounts.ts';
import { attachFirst } from '../accounts/attach-first.ts';
import { proveBalances } from '../accounts/prove-balances.ts';
import { recogniseAccounts } from '../accounts/recognise-accounts.ts';
import { storeBalances } from '../accounts/store-balances.ts';
import { collapseDelivery, type CollapsedDelivery } from '../fetch/collapse-delivery.ts';
import { deliveryOf, type Delivery } from '../fetch/delivery.ts';
import type { Fetched } from '../fetch/fetch-sync.ts';
import { openSpool } from '../fetch/spool.ts';
import type { SyncLogRow } from '../logs/sync-history.queries.ts';
import { endLog, findLog, leaveNote } from '../logs/sync-logs.queries.ts';
import { SyncTally } from '../logs/sync-tally.ts';
import { SyncWarnings } from '../logs/sync-warnings.ts';
import { warnOfAccounts, warnOfPlans, warnOfRows } from '../logs/warn-of.ts';
import { keepSuggestions } from '../rows/keep-suggestions.ts';
import { selectLiveIds } from '../rows/known-rows.queries.ts';
import { planSync, type AccountWork } from '../rows/plan-sync.ts';
import { writeRows } from '../rows/write-rows.ts';
import { tellOfRecovery } from '../status/connection-alerts.ts';
import { applyConnectionEvent } from '../status/connection-events.ts';
import { holdsTurn } from '../turns/leases.ts';
import type { SyncTurn } from './run-sync.ts';
import { syncOrigin } from './sync-origin.ts';

/** A sync that has everything it needs from the provider. Plain data, because it may go to a worker thread. */
export interface FetchedSync {
  readonly turn: SyncTurn;
  readonly traits: ProviderTraits;
  readonly fetched: Fetched;
}

/**
 * Plans and stores a sync in one transaction with one change set (contract 30.7.2, steps 3 to 6): rows, position, log
 * and the state of the connection are visible together or not at all.
 */
export async function commitSync(instance: Instance, sync: FetchedSync): Promise<void> {
  const { pages, spool } = sync.fetched;
  const delivery = spool === null ? deliveryOf(pages ?? []) : openSpool(spool);
  try {
    const live = await instance.database.read((tx) => selectLiveIds(tx, sync.traits.name, sync.fetched.returned));
    const collapsed = collapseDelivery(delivery, sync.traits, live);
    instance.failpoint('sync:collapsed');
    const held = (tx: WriteTx) => heldConnection(tx, sync.turn);
    const ambiguous = await attachFirst(instance, sync, collapsed, held);
    const sameAccounts = await recogniseAccounts(instance, sync, collapsed, held);
    const store = endingMatches(async (tx) => {
      const { connection, log } = await held(tx);
      const warnings = new SyncWarnings();
      const tally = new SyncTally();
      await storeSync({ instance, tx, ...sync, connection, log, delivery, collapsed, ambiguous, warnings, tally });
      for (const one of sameAccounts) await suggestSameAccount(tx, one);
      instance.failpoint('sync:before-commit');
    });
    await write(instance.database, syncOrigin(instance, sync.turn, sync.traits.name), store);
    instance.failpoint('sync:committed');
  } finally {
    delivery.close();
  }
}

/** @throws CONNECTION_DISCONNECTED, CONFLICT if another run has taken over */
async function heldConnection(tx: WriteTx, turn: SyncTurn): Promise<{ connection: ConnectionsTable; log: SyncLogRow }> {
  const connection = await findConnectionOf(tx, turn.connectionId);
  const log = await findLog(tx, turn.syncLogId);
  if (!connection || connection.status === 'disconnected') {
    throw new AppError('CONNECTION_DISCONNECTED', 'The connection was disconnected during the sync.');
  }
  if (!log || !(await holdsTurn(tx, turn))) throw new AppError('CONFLICT', 'Another run of the sync has taken over.');
  return { connection, log };
}

/** A commit and everything its steps need. */
interface Committing extends FetchedSync {
  readonly instance: Instance;
  readonly tx: WriteTx;
  readonly connection: ConnectionsTable;
  readonly log: SyncLogRow;
  readonly delivery: Delivery;
  readonly collapsed: CollapsedDelivery;
  /** External ids of accounts that could be several known ones. */
  readonly ambiguous: ReadonlySet<string>;
  readonly warnings: SyncWarnings;
  readonly tally: SyncTally;
}

async function storeSync(commit: Committing): Promise<void> {
  const { instance, tx, traits, connection, collapsed, warnings, tally } = commit;
  const { outcome } = commit.fetched;
  const attached = await attach(commit);
  warnOfRows(warnings, tally, attached, collapsed);
  const works = await planSync(tx, attached, { traits, outcome, collapsed });
  warnOfPlans(warnings, works);
  instance.failpoint('sync:planned');
  const hits = await writeTransactions(commit, works);
  await storeBalances(tx, attached.values(), 'stored');
  const isHistoryComplete = outcome.history === 'complete' || connection.history_completed_at !== null;
  await proveBalances(tx, attached.values(), { syncLogId: commit.log.id, isHistoryComplete, tally, warnings });
  await keepPositions(commit, attached);
  await end(commit, attached, hits);
}

/** The accounts in the list; without a list, those that rows name and those that were open before. */
async function attach({
  tx,
  fetched: { outcome },
  connection,
  collapsed,
  ambiguous,
  warnings,
}: Committing): Promise<Map<string, AttachedAccount>> {
  const feeds = await selectFeeds(tx, connection.id);
  const named = [...collapsed.rows.keys()];
  if (outcome.state === null) {
    for (const { state, external_account_id: id } of feeds.values()) if (state !== 'missing') named.push(id);
  }
  const bank = { ...connection, ...bankOf(connection, outcome) };
  const attached = await attachAccounts(tx, bank, outcome.state?.accounts ?? [], [...new Set(named)]);
  const seen = new Set([...attached.values()].map(({ account }) => account.id));
  const missing = outcome.state === null ? [] : [...feeds.values()].filter((feed) => !seen.has(feed.account_id));
  for (const feed of missing) await putFeed(tx, { ...feed, state: 'missing' });
  await warnOfAccounts(tx, warnings, { outcome, attached, missing, ambiguous });
  return attached;
}

async function writeTransactions(commit: Committing, works: readonly AccountWork[]): Promise<IngestionOutcome> {
  const { instance, tx, turn, traits, connection, delivery, tally, warnings } = commit;
  const ingestion = await openIngestion(tx, 'sync');
  const transactionOf = await writeRows(tx, works, {
    namespace: traits.name,
    hasRowIds: traits.rowIds !== 'none',
    syncLogId: turn.syncLogId,
    delivery,
    ingestion,
    categories: await providerMapping(tx),
    tally,
    onChunk: () => instance.failpoint('sync:rows-written'),
  });
  await keepSuggestions(tx, connection.id, works, transactionOf);
  const { journal } = tx;
  const outcome = await ingestion.finish({
    run_id: turn.syncLogId,
    import_id: null,
    sync_log_id: turn.syncLogId,
    change_set_id: journal.isEmpty() ? null : journal.changeSetId,
    institution_name: connection.institution_name,
  });
  const data = { connection_id: connection.id, sync_log_id: turn.syncLogId };
  await tellOfFlagged(tx, outcome.flagged, { type: 'sync_log', id: turn.syncLogId, data });
  for (const name of outcome.failedRules) {
    warnings.add('rule_failed', `The rule "${name}" failed on some rows and did not change them.`);
  }
  return outcome;
}

/** Notes how far each account was read, where the provider keeps that by account. */
async function keepPositions(
  { tx, fetched, connection }: Committing,
  attached: ReadonlyMap<string, AttachedAccount>,
): Promise<void> {
  const { reads } = fetched.outcome;
  if (reads.length === 0) return;
  const feeds = await selectFeeds(tx, connection.id);
  for (const { externalAccountId, position, isWideRead } of reads) {
    const feed = feeds.get(attached.get(externalAccountId)?.account.id ?? '');
    if (!feed) continue;
    await putFeed(tx, { ...feed, position, ...(isWideRead ? { wide_read_at: tx.now } : {}) });
  }
}

/** The last writes: connection, log, and the note of what is left to do. */
async function end(
  commit: Committing,
  attached: ReadonlyMap<string, AttachedAccount>,
  { hits }: IngestionOutcome,
): Promise<void> {
  const { tx, turn, log, tally, warnings } = commit;
  const finishedAt = instantNow(commit.instance.clock);
  await changeConnection(commit, attached, finishedAt);
  const { journal } = tx;
  journal.summarise(summaryOf(tally));
  const times = { startedAt: log.started_at, finishedAt };
  await endLog(tx, turn, times, {
    status: 'success',
    ...tally.columns(),
    ...warnings.columns(),
    rule_hits: JSON.stringify(hits),
    total_rule_hits: hits.reduce((total, { count }) => total + count, 0),
    change_set_id: journal.isEmpty() ? null : journal.changeSetId,
  });
  await leaveNote(tx, turn);
}

/** What a successful sync means for its connection (30.3), and where the next one goes on. */
async function changeConnection(
  { instance, tx, turn, fetched: { outcome }, connection, log }: Committing,
  attached: ReadonlyMap<string, AttachedAccount>,
  finishedAt: string,
): Promise<void> {
  const login = [...outcome.problems, ...(outcome.state?.problems ?? [])].find(
    ({ scope, failureClass }) => scope === 'item' && failureClass === 'login',
  );
  const event = {
    kind: 'sync_succeeded',
    history: outcome.history,
    loginProblem: login ? { code: login.code } : null,
    consentExpiresAt: outcome.state?.item.consentExpiresAt,
    notAfter: await pulledTo(tx, connection, log.started_at),
  } as const;
  const hasNew = [...attached.values()].some(({ isNew }) => isNew);
  const isHistoryNew = outcome.history === 'complete' && connection.history_completed_at === null;
  const changed = await applyConnectionEvent(tx, instance, connection, event, {
    now: finishedAt,
    columns: {
      ...bankOf(connection, outcome),
      sync_position: outcome.position ?? connection.sync_position,
      ...(hasNew ? { new_accounts_at: null } : {}),
      ...(isHistoryNew ? { history_completed_at: finishedAt } : {}),
    },
  });
  await tellOfRecovery(tx, { syncLogId: turn.syncLogId, connection: changed ?? connection });
}

function summaryOf(tally: SyncTally): string {
  const parts = (['added', 'modified', 'removed'] as const).flatMap((count) => {
    const total = tally.total(count);
    return total === 0 ? [] : [`${total} ${count}`];
  });
  return parts.length === 0 ? 'Synced a bank' : `Synced transactions: ${parts.join(', ')}`;
}
