import { setTimeout } from 'node:timers/promises';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { bookkeep } from '../../../journal/write.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Instance } from '../../handler.ts';
import { createRenewal, findAbandoned, renewWorkLease } from '../../work-leases.ts';
import {
  failImports,
  findImport,
  selectUnfinished,
  startImport,
  type UnfinishedImport,
} from '../records/imports.queries.ts';
import { progressOf } from '../records/imports.table.ts';
import { sweepSpools } from './spool.ts';

const POLL_EVERY_MS = 50;
/** After this many polls, checks again whether the imports ahead are still being worked on. */
const POLLS_PER_CHECK = 40;

type Position = 'running' | 'next' | 'behind';

/**
 * Waits until every import accepted earlier has ended, then marks this one as running. The order is kept in the
 * database, so it holds across threads and servers. @throws UNAVAILABLE if the import was given up in the meantime
 */
export async function takeTurn(instance: Instance, importId: string): Promise<void> {
  const { database } = instance;
  const renew = createRenewal(instance, { kind: 'import', id: importId });
  for (let poll = 0; ; poll += 1) {
    const { position } = await database.read((tx) => positionOf(tx, importId));
    if (position === 'running') return;
    if (position === 'next') {
      await bookkeep(database, async (tx) => {
        const { own } = await positionOf(tx, importId);
        const { total } = JSON.parse(own.progress) as { total: number };
        await startImport(tx, importId, progressOf('matching', 0, total));
        await renewWorkLease(tx, { kind: 'import', id: importId });
      });
      return;
    }
    // This process is shutting down. Another process may run the imports behind this one.
    if (instance.isDraining()) throw interrupted();
    if (poll % POLLS_PER_CHECK === 0) {
      await renew();
      await failInterruptedImports(instance);
    }
    await setTimeout(POLL_EVERY_MS);
  }
}

async function positionOf(tx: ReadTx, importId: string): Promise<{ own: UnfinishedImport; position: Position }> {
  const unfinished = await selectUnfinished(tx);
  const own = unfinished.find(({ id }) => id === importId);
  if (!own) throw await whyEnded(tx, importId);
  if (own.status === 'running') return { own, position: 'running' };
  const isNext = unfinished[0] === own && !unfinished.some(({ status }) => status === 'running');
  return { own, position: isNext ? 'next' : 'behind' };
}

/**
 * Fails the imports that no one works on any longer (36.8.6): their process or thread is gone, or their lease lapsed. A
 * mistake is harmless, because an import whose record has ended writes nothing. `gone` is a holder known to be gone.
 */
export async function failInterruptedImports(instance: Instance, gone?: string): Promise<void> {
  const { database, config } = instance;
  await sweepSpools(config.dataDir);
  const unfinished = await database.read((tx) => selectUnfinished(tx));
  const ids = unfinished.map(({ id }) => id);
  const abandoned = await findAbandoned(instance, 'import', ids, gone);
  if (abandoned.length > 0) await bookkeep(database, (tx) => failImports(tx, abandoned, interrupted()));
}

/** Why an import that has not been written is no longer running. */
export async function whyEnded(tx: ReadTx, importId: string): Promise<AppError> {
  if (await findImport(tx, importId)) return interrupted();
  const message = 'The member’s data was erased during this import, so nothing was written. Import the file again.';
  return new AppError('CONFLICT', message);
}

/** The error of an import that was given up, for its caller and its record. */
function interrupted(): AppError {
  const message = 'The service stopped during this import. Nothing was written. Import the file again.';
  return new AppError('UNAVAILABLE', message);
}
