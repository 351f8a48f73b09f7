import { sql } from 'kysely';

import type { BareWriteTx } from '../db/unit-of-work.ts';
import { bookkeep } from '../journal/write.ts';
import { hasPassed, instantNow } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Instance } from './handler.ts';

/**
 * Which process works on an import or a job: docs/decisions/0006-imports-and-who-runs-them.md. The lease is renewed
 * for as long as the work goes on, and lapses by the database's clock, which all processes share.
 */
export interface Work {
  readonly kind: 'import' | 'job';
  readonly id: string;
}

export async function takeWorkLease(tx: BareWriteTx, work: Work, holder: string): Promise<void> {
  const expires_at = tx.portable.sharedClock(tx.now, LIMITS.workLeaseMs);
  await tx.q
    .insertInto('leases')
    .values({ name: nameOf(work), holder, expires_at })
    .execute();
}

export async function renewWorkLease(tx: BareWriteTx, work: Work): Promise<void> {
  const expires_at = tx.portable.sharedClock(tx.now, LIMITS.workLeaseMs);
  await tx.q.updateTable('leases').set({ expires_at }).where('name', '=', nameOf(work)).execute();
}

export async function endWorkLeases(tx: BareWriteTx, kind: Work['kind'], ids: readonly string[]): Promise<void> {
  const names = ids.map((id) => nameOf({ kind, id }));
  await tx.q.deleteFrom('leases').where('name', 'in', names).execute();
}

/** Renews the lease of work that waits for its turn, when it is time to. */
export function createRenewal({ database, clock }: Instance, work: Work): () => Promise<void> {
  let renewedAt = clock.now();
  return async () => {
    const now = clock.now();
    if (!hasPassed(LIMITS.workRenewMs, renewedAt, now)) return;
    await bookkeep(database, (tx) => renewWorkLease(tx, work));
    renewedAt = now;
  };
}

/** Which of these nobody works on any longer: their holder is gone or their lease lapsed. `gone` is a holder known to be gone. */
export async function findAbandoned(
  { database, clock }: Instance,
  kind: Work['kind'],
  ids: readonly string[],
  gone?: string,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const names = ids.map((id) => nameOf({ kind, id }));
  const held = await database.read((tx) =>
    tx.q
      .selectFrom('leases')
      .select(['name', 'holder'])
      .where('name', 'in', names)
      .where('expires_at', '>', sql<string>`${tx.portable.sharedClock(instantNow(clock))}`)
      .execute(),
  );
  const holders = new Map(held.map(({ name, holder }) => [name, holder]));
  const abandoned: string[] = [];
  for (const id of ids) {
    const holder = holders.get(nameOf({ kind, id }));
    const isHeld = holder !== undefined && holder !== gone && (await database.isPresent(holder));
    if (!isHeld) abandoned.push(id);
  }
  return abandoned;
}

function nameOf({ kind, id }: Work): string {
  return `${kind}:${id}`;
}
