import type { ConnectionsTable } from '../../db/schema.ts';
import { write, type WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ProviderTraits } from '../../providers/provider.ts';
import { providerMapping } from '../categories/index.ts';
import { findConnectionOf } from '../connections/index.ts';
import type { Instance } from '../handler.ts';
import { openIngestion, type IngestionOutcome } from '../rules/index.ts';
import { suggestSameAccount } from '../suggestions/index.ts';
import { putFeed, selectFeeds } from './account-feeds.queries.ts';
import { attachAccounts, type AttachedAccount } from './attach-accounts.ts';
import { collapseDelivery, type CollapsedDelivery } from './collapse-delivery.ts';
import { applyConnectionEvent } from './connection-events.ts';
import { deliveryOf, type Delivery } from './delivery.ts';
import type { Fetched } from './fetch-sync.ts';
import { planSync, type AccountWork } from './plan-sync.ts';
import { proveBalances } from './prove-balances.ts';
import type { SyncTurn } from './run-sync.ts';
import { recogniseAccounts } from './recognise-accounts.ts';
import { openSpool } from './spool.ts';
import { storeBalances } from './store-balances.ts';
import { keepSuggestions } from './keep-suggestions.ts';
import { endLog, findLog, holdsTurn, leaveNote, type SyncLogRow } from './sync-logs.queries.ts';
import { syncOrigin } from './sync-origin.ts';
import { SyncTally } from './sync-tally.ts';
import { SyncWarnings } from './sync-warnings.ts';
import { warnOfAccounts, warnOfPlans, warnOfRows } from './warn-of.ts';
import { writeRows } from './write-rows.ts';

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
    const collapsed = collapseDelivery(delivery, sync.traits);
    instance.failpoint('sync:collapsed');
    const sameAccounts = await recogniseAccounts(instance, sync, collapsed, (tx) => heldConnection(tx, sync.turn));
    await write(instance.database, syncOrigin(instance, sync.turn, sync.traits.name), async (tx) => {
      const { connection, log } = await heldConnection(tx, sync.turn);
      await new Commit(instance, tx, sync, { connection, log, delivery, collapsed }).run();
      for (const one of sameAccounts) await suggestSameAccount(tx, one);
      instance.failpoint('sync:before-commit');
    });
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

interface Committing {
  readonly connection: ConnectionsTable;
  readonly log: SyncLogRow;
  readonly delivery: Delivery;
  readonly collapsed: CollapsedDelivery;
}

/** One commit, step by step. */
class Commit {
  readonly #instance: Instance;
  readonly #tx: WriteTx;
  readonly #sync: FetchedSync;
  readonly #on: Committing;
  readonly #warnings = new SyncWarnings();
  readonly #tally = new SyncTally();

  constructor(instance: Instance, tx: WriteTx, sync: FetchedSync, on: Committing) {
    this.#instance = instance;
    this.#tx = tx;
    this.#sync = sync;
    this.#on = on;
  }

  async run(): Promise<void> {
    const { outcome } = this.#sync.fetched;
    const { connection, collapsed } = this.#on;
    const attached = await this.#attach();
    warnOfRows(this.#warnings, this.#tally, attached, collapsed);
    const works = await planSync(this.#tx, attached, { traits: this.#sync.traits, outcome, collapsed });
    warnOfPlans(this.#warnings, works);
    this.#instance.failpoint('sync:planned');
    const hits = await this.#writeRows(works);
    await storeBalances(this.#tx, attached.values());
    const isHistoryComplete = outcome.history === 'complete' || connection.history_completed_at !== null;
    const accounts = [...attached.values()];
    await proveBalances(this.#tx, accounts, { isHistoryComplete, tally: this.#tally, warnings: this.#warnings });
    await this.#keepPositions(attached);
    await this.#end(attached, hits);
  }

  /** The accounts of the list; without one, those that rows name and those that were open before. */
  async #attach(): Promise<Map<string, AttachedAccount>> {
    const { outcome } = this.#sync.fetched;
    const { connection, collapsed } = this.#on;
    const feeds = await selectFeeds(this.#tx, connection.id);
    const named = [...collapsed.rows.keys()];
    if (outcome.state === null) {
      for (const { state, external_account_id: id } of feeds.values()) if (state !== 'missing') named.push(id);
    }
    const bank = { ...connection, ...bankOf(connection, this.#sync) };
    const attached = await attachAccounts(this.#tx, bank, outcome.state?.accounts ?? [], [...new Set(named)]);
    const seen = new Set([...attached.values()].map(({ account }) => account.id));
    const missing = outcome.state === null ? [] : [...feeds.values()].filter((feed) => !seen.has(feed.account_id));
    for (const feed of missing) await putFeed(this.#tx, { ...feed, state: 'missing' });
    await warnOfAccounts(this.#tx, this.#warnings, { outcome, attached, missing });
    return attached;
  }

  async #writeRows(works: readonly AccountWork[]): Promise<IngestionOutcome> {
    const { turn, traits } = this.#sync;
    const { connection, delivery } = this.#on;
    const ingestion = await openIngestion(this.#tx, 'sync');
    const transactionOf = await writeRows(this.#tx, works, {
      namespace: traits.name,
      hasRowIds: traits.rowIds !== 'none',
      syncLogId: turn.syncLogId,
      delivery,
      ingestion,
      categories: await providerMapping(this.#tx),
      tally: this.#tally,
      onChunk: () => this.#instance.failpoint('sync:rows-written'),
    });
    await keepSuggestions(this.#tx, connection.id, works, transactionOf);
    const { journal } = this.#tx;
    const outcome = await ingestion.finish({
      run_id: turn.syncLogId,
      import_id: null,
      sync_log_id: turn.syncLogId,
      change_set_id: journal.isEmpty() ? null : journal.changeSetId,
      institution_name: connection.institution_name,
    });
    for (const name of outcome.failedRules) {
      this.#warnings.add('rule_failed', `The rule "${name}" failed on some rows and did not change them.`);
    }
    return outcome;
  }

  /** Notes how far each account was read, where the provider keeps that by account. */
  async #keepPositions(attached: ReadonlyMap<string, AttachedAccount>): Promise<void> {
    const { reads } = this.#sync.fetched.outcome;
    if (reads.length === 0) return;
    const feeds = await selectFeeds(this.#tx, this.#sync.turn.connectionId);
    for (const { externalAccountId, position, isWideRead } of reads) {
      const feed = feeds.get(attached.get(externalAccountId)?.account.id ?? '');
      if (!feed) continue;
      await putFeed(this.#tx, { ...feed, position, ...(isWideRead ? { wide_read_at: this.#tx.now } : {}) });
    }
  }

  /** The last writes: connection, log, and the note of what is left to do. */
  async #end(attached: ReadonlyMap<string, AttachedAccount>, { hits }: IngestionOutcome): Promise<void> {
    const { turn, fetched } = this.#sync;
    const { connection, log } = this.#on;
    const finishedAt = instantNow(this.#instance.clock);
    const { outcome } = fetched;
    const login = [...outcome.problems, ...(outcome.state?.problems ?? [])].find(
      ({ scope, failureClass }) => scope === 'item' && failureClass === 'login',
    );
    const hasNew = [...attached.values()].some(({ isNew }) => isNew);
    const event = {
      kind: 'sync_succeeded',
      history: outcome.history,
      loginProblem: login ? { code: login.code } : null,
      consentExpiresAt: outcome.state?.item.consentExpiresAt,
    } as const;
    await applyConnectionEvent(this.#tx, this.#instance, connection, event, {
      now: finishedAt,
      columns: {
        ...bankOf(connection, this.#sync),
        sync_position: outcome.position ?? connection.sync_position,
        ...(hasNew ? { new_accounts_at: null } : {}),
        ...(outcome.history === 'complete' && connection.history_completed_at === null
          ? { history_completed_at: finishedAt }
          : {}),
      },
    });
    const { journal } = this.#tx;
    journal.summarise(summaryOf(this.#tally));
    await endLog(
      this.#tx,
      turn,
      { startedAt: log.started_at, finishedAt },
      {
        status: 'success',
        ...this.#tally.columns(),
        ...this.#warnings.columns(),
        rule_hits: JSON.stringify(hits),
        total_rule_hits: hits.reduce((total, { count }) => total + count, 0),
        change_set_id: journal.isEmpty() ? null : journal.changeSetId,
      },
    );
    await leaveNote(this.#tx, turn);
  }
}

/** What the provider says of the bank, where nothing was known. */
function bankOf(
  { institution_id: id, institution_name: name }: Pick<ConnectionsTable, 'institution_id' | 'institution_name'>,
  { fetched }: FetchedSync,
) {
  const item = fetched.outcome.state?.item;
  return { institution_id: id ?? item?.institutionId ?? null, institution_name: name ?? item?.institutionName ?? null };
}

function summaryOf(tally: SyncTally): string {
  const parts = (['added', 'modified', 'removed'] as const).flatMap((count) => {
    const total = tally.total(count);
    return total === 0 ? [] : [`${total} ${count}`];
  });
  return parts.length === 0 ? 'Synced a bank' : `Synced transactions: ${parts.join(', ')}`;
}
