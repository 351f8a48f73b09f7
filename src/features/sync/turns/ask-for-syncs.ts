import type { OutputOf } from '../../../contract/operation.ts';
import type { ConnectionsTable } from '../../../db/schema.ts';
import type { BareWriteTx } from '../../../db/unit-of-work.ts';
import { bookkeep } from '../../../journal/write.ts';
import { configValue } from '../../config/index.ts';
import type { Instance } from '../../handler.ts';
import { configuredProviders } from '../../providers/index.ts';
import type { triggerSync } from '../sync.contract.ts';
import { requestSync } from './request-sync.ts';
import type { SyncSlot } from './sync-slots.ts';
import { findTurn, requestedSync, takeTurn, type TakenTurn } from './take-turn.ts';

type Element = OutputOf<typeof triggerSync>['syncs'][number];

/** What was asked for: one connection, or all that are not disconnected. */
export interface Asked {
  /** The connections, oldest first. @throws if there is no such connection, or it is disconnected */
  select: (tx: BareWriteTx) => Promise<readonly ConnectionsTable[]>;
  /** A connection asked for by id is synced even if it is paused or broken. */
  isNamed: boolean;
  isFull: boolean;
}

interface Started {
  readonly slot: SyncSlot;
  readonly taken: TakenTurn;
}

/**
 * Starts syncs now while there are free slots, and lets the others wait (contract 30.6). One write decides about all,
 * and stores what waits, so that nothing is lost.
 */
export async function askForSyncs(instance: Instance, asked: Asked): Promise<Element[]> {
  const holder = await instance.database.presence();
  const started: Started[] = [];
  try {
    const elements = await bookkeep(instance.database, async (tx) => {
      const asking = { tx, instance, holder, started, concurrency: Number(await configValue(tx, 'sync_concurrency')) };
      const configured = await configuredProviders(tx, instance);
      const answers: Element[] = [];
      for (const connection of await asked.select(tx)) {
        const reason = skippedBecause(connection, configured, asked.isNamed);
        answers.push(
          reason === null
            ? await askFor(asking, connection, asked.isFull)
            : { connection_id: connection.id, sync_log_id: null, status: 'skipped', reason },
        );
      }
      return answers;
    });
    for (const { slot, taken } of started) slot.start(taken);
    instance.wakeSyncs();
    return elements;
  } finally {
    for (const { slot } of started) slot.leave();
  }
}

function skippedBecause(
  { provider, status, paused }: ConnectionsTable,
  configured: readonly string[],
  isNamed: boolean,
): Element['reason'] {
  if (provider === 'csv') return 'csv';
  if (!configured.includes(provider)) return 'provider_not_configured';
  if (isNamed) return null;
  if (status === 'pending_reauth' || status === 'error') return status;
  return paused === 1 ? 'paused' : null;
}

interface Asking {
  tx: BareWriteTx;
  instance: Instance;
  holder: string;
  started: Started[];
  concurrency: number;
}

async function askFor(asking: Asking, connection: ConnectionsTable, isFull: boolean): Promise<Element> {
  const { tx, instance, holder, started, concurrency } = asking;
  const before = await findTurn(tx, connection.id);
  const isNew = await requestSync(tx, connection.id, { trigger: 'manual', isFull });
  const element = (status: Element['status'], logId: string | null, reason: Element['reason'] = null): Element => ({
    connection_id: connection.id,
    sync_log_id: logId,
    status,
    reason,
  });
  if (before?.holder != null) {
    const { sync_log_id: runningId } = before;
    return isNew ? element('queued', runningId, 'sync_running') : element('already_running', runningId);
  }
  const slot = instance.syncs().reserve(concurrency);
  if (!slot) return isNew ? element('queued', null, 'no_free_slot') : element('already_running', null);
  const wanted = requestedSync(await findTurn(tx, connection.id)) ?? { trigger: 'manual', isFull };
  const taken = await takeTurn(tx, instance, connection, wanted, holder);
  if (!taken) {
    slot.leave();
    return element('queued', null, 'no_free_slot');
  }
  started.push({ slot, taken });
  return element('started', taken.turn.syncLogId);
}
