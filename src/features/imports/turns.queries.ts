import { sql } from 'kysely';

import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** An import that waits or writes, with who does it; null when nobody does any more. */
export interface UnfinishedImport {
  id: string;
  status: string;
  progress: string;
  holder: string | null;
  expires_at: string | null;
}

/** In the order in which they were accepted. */
export async function selectUnfinished(tx: ReadTx): Promise<UnfinishedImport[]> {
  return tx.q
    .selectFrom('imports')
    .leftJoin('leases', (join) => join.on('leases.name', '=', sql<string>`'import:' || imports.id`))
    .select(['imports.id', 'imports.status', 'imports.progress', 'leases.holder', 'leases.expires_at'])
    .where('imports.status', 'in', ['queued', 'running'])
    .orderBy('imports.created_at')
    .orderBy('imports.id')
    .execute();
}

export async function isUnfinished(tx: ReadTx, importId: string): Promise<boolean> {
  return (await selectUnfinished(tx)).some(({ id }) => id === importId);
}

export async function insertLease(tx: BareWriteTx, importId: string, holder: string): Promise<void> {
  const expiresAt = instantAfter(tx.now, LIMITS.importLeaseMs);
  await tx.q
    .insertInto('leases')
    .values({ name: leaseName(importId), holder, expires_at: expiresAt })
    .execute();
}

export async function deleteLeases(tx: BareWriteTx, importIds: readonly string[]): Promise<void> {
  await tx.q.deleteFrom('leases').where('name', 'in', importIds.map(leaseName)).execute();
}

export async function startImport(tx: BareWriteTx, importId: string, progress: string): Promise<void> {
  await tx.q
    .updateTable('imports')
    .set({ status: 'running', started_at: tx.now, progress })
    .where('id', '=', importId)
    .execute();
}

/** Those that have ended meanwhile stay as they are. */
export async function failImports(
  tx: BareWriteTx,
  importIds: readonly string[],
  error: { code: string; message: string },
): Promise<void> {
  if (importIds.length === 0) return;
  await deleteLeases(tx, importIds);
  await tx.q
    .updateTable('imports')
    .set({ status: 'failed', error: JSON.stringify({ code: error.code, message: error.message }), finished_at: tx.now })
    .where('status', 'in', ['queued', 'running'])
    .where('id', 'in', importIds)
    .execute();
}

function leaseName(importId: string): string {
  return `import:${importId}`;
}
