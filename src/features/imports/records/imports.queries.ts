import { sql } from 'kysely';

import type { ImportsTable } from '../../../db/schema.ts';
import { idColumn } from '../../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import type { Position } from '../../../kernel/cursor.ts';
import { endWorkLeases } from '../../work-leases.ts';

export type ImportRowStored = ImportsTable & { user_short_id: string | null };

export interface StoredImportRow {
  line: number;
  part: number;
  outcome: string;
  reason: string | null;
  match_kind: string | null;
  transaction_id: string | null;
  record: string;
}

export interface ImportFilter {
  accountId?: string;
  connectionId?: string;
  userId?: string;
  statuses?: readonly string[];
  formats?: readonly string[];
  from?: string;
  to?: string;
}

export async function findImport(tx: ReadTx, anyId: string): Promise<ImportRowStored | undefined> {
  const column = idColumn(anyId);
  return column && imports(tx).where(`imports.${column}`, '=', anyId).executeTakeFirst();
}

/** Newest first, after a position. */
export async function selectImports(
  tx: ReadTx,
  filter: ImportFilter,
  position: Position | null,
  limit: number,
): Promise<ImportRowStored[]> {
  let query = imports(tx);
  const { accountId, connectionId, userId, statuses, formats, from, to } = filter;
  if (accountId !== undefined) {
    query = query.where('imports.id', 'in', (fed) =>
      fed.selectFrom('import_accounts').select('import_id').where('account_id', '=', accountId),
    );
  }
  if (connectionId !== undefined) query = query.where('imports.connection_id', '=', connectionId);
  if (userId !== undefined) query = query.where('imports.user_id', '=', userId);
  if (statuses && statuses.length > 0) query = query.where('imports.status', 'in', statuses);
  if (formats && formats.length > 0) query = query.where('imports.format', 'in', formats);
  if (from !== undefined) query = query.where('imports.created_at', '>=', from);
  if (to !== undefined) query = query.where('imports.created_at', '<', to);
  if (position) query = query.where(sql<boolean>`(imports.created_at, imports.id) < (${position.key}, ${position.id})`);
  return query.orderBy('imports.created_at', 'desc').orderBy('imports.id', 'desc').limit(limit).execute();
}

/** Imports in force of a file into one of these accounts that list a live row, newest first. */
export async function selectImportsOfFile(
  tx: ReadTx,
  sha256: string,
  accountIds: readonly string[],
): Promise<Pick<ImportsTable, 'id' | 'short_id' | 'reading_key' | 'currency_stated' | 'detail'>[]> {
  return tx.q
    .selectFrom('imports')
    .select(['id', 'short_id', 'reading_key', 'currency_stated', 'detail'])
    .where('file_sha256', '=', sha256)
    .where('status', 'in', ['completed', 'partly_reverted'])
    .where('id', 'in', (fed) =>
      fed
        .selectFrom('import_accounts')
        .select('import_id')
        .where(tx.portable.inList(sql.ref('import_accounts.account_id'), accountIds)),
    )
    .where((listing) =>
      listing.exists(listedLive(tx).where('r.import_id', '=', sql.ref<string>('imports.id')).select('t.id')),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The import to which most of the live rows belong that an import lists; itself if one does, or if they are no import's. */
export async function findOwnerOfListed(
  tx: ReadTx,
  own: Pick<ImportsTable, 'id' | 'short_id'>,
): Promise<Pick<ImportsTable, 'id' | 'short_id'>> {
  const owner = await listedLive(tx)
    .innerJoin('imports as owner', 'owner.id', 't.import_id')
    .where('r.import_id', '=', own.id)
    .groupBy(['owner.id', 'owner.short_id'])
    .select(['owner.id', 'owner.short_id'])
    .orderBy(sql`case when owner.id = ${own.id} then 0 else 1 end`)
    .orderBy((count) => count.fn.countAll(), 'desc')
    .orderBy('owner.id')
    .limit(1)
    .executeTakeFirst();
  return owner ?? own;
}

/** What imports list (36.1) and is live; of a partly reverted one, the rows that are still its own. */
function listedLive(tx: ReadTx) {
  return tx.q
    .selectFrom('import_rows as r')
    .innerJoin('imports as lister', 'lister.id', 'r.import_id')
    .innerJoin('transactions as t', 't.id', 'r.transaction_id')
    .where('r.outcome', 'in', ['added', 'updated', 'duplicate'])
    .where('t.deleted_at', 'is', null)
    .where((row) => row.or([row('lister.status', '=', 'completed'), row('t.import_id', '=', row.ref('r.import_id'))]));
}

/** The newest completed import of each account. */
export async function selectNewestCompleted(tx: ReadTx): Promise<(ImportRowStored & { fed_account_id: string })[]> {
  return imports(tx)
    .innerJoin('import_accounts as fed', 'fed.import_id', 'imports.id')
    .innerJoin('accounts', 'accounts.id', 'fed.account_id')
    .select('fed.account_id as fed_account_id')
    .where('accounts.deleted_at', 'is', null)
    .where('imports.id', '=', (newest) =>
      newest
        .selectFrom('import_accounts as others')
        .innerJoin('imports as candidates', 'candidates.id', 'others.import_id')
        .whereRef('others.account_id', '=', 'fed.account_id')
        .where('candidates.status', '=', 'completed')
        .select('candidates.id')
        .orderBy('candidates.created_at', 'desc')
        .orderBy('candidates.id', 'desc')
        .limit(1),
    )
    .execute();
}

/** Rows of an import that added nothing, by line. */
export async function selectUnaddedRows(tx: ReadTx, importId: string, limit: number): Promise<StoredImportRow[]> {
  return rowsOf(tx, importId).where('outcome', '!=', 'added').limit(limit).execute();
}

/** A record of a file by its line; one line can yield several. */
export interface RowPlace {
  line: number;
  part: number;
}

/** Records of an import by line, after a place. */
export async function selectImportRows(
  tx: ReadTx,
  importId: string,
  filter: { outcome?: readonly string[] | undefined; reason?: readonly string[] | undefined },
  after: RowPlace | null,
  limit: number,
): Promise<StoredImportRow[]> {
  let query = rowsOf(tx, importId);
  const { outcome: outcomes = [], reason: reasons = [] } = filter;
  if (outcomes.length > 0) query = query.where('outcome', 'in', outcomes);
  if (reasons.length > 0) query = query.where('reason', 'in', reasons);
  if (after) query = query.where(sql<boolean>`(line, part) > (${after.line}, ${after.part})`);
  return query.limit(limit).execute();
}

export async function insertImport(tx: BareWriteTx, row: ImportsTable): Promise<void> {
  await tx.q.insertInto('imports').values(row).execute();
}

export async function updateImport(tx: BareWriteTx, id: string, set: Partial<ImportsTable>): Promise<void> {
  await tx.q.updateTable('imports').set(set).where('id', '=', id).execute();
}

function imports(tx: ReadTx) {
  return tx.q
    .selectFrom('imports')
    .leftJoin('users', 'users.id', 'imports.user_id')
    .selectAll('imports')
    .select('users.short_id as user_short_id');
}

function rowsOf(tx: ReadTx, importId: string) {
  return tx.q
    .selectFrom('import_rows')
    .select(['line', 'part', 'outcome', 'reason', 'match_kind', 'transaction_id', 'record'])
    .where('import_id', '=', importId)
    .orderBy('line')
    .orderBy('part');
}

/** An import that waits or runs. */
export interface UnfinishedImport {
  id: string;
  status: string;
  progress: string;
}

/** In the order in which they were accepted. */
export async function selectUnfinished(tx: ReadTx): Promise<UnfinishedImport[]> {
  return tx.q
    .selectFrom('imports')
    .select(['id', 'status', 'progress'])
    .where('status', 'in', ['queued', 'running'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function isUnfinished(tx: ReadTx, importId: string): Promise<boolean> {
  return (await selectUnfinished(tx)).some(({ id }) => id === importId);
}

export async function startImport(tx: BareWriteTx, importId: string, progress: string): Promise<void> {
  await tx.q
    .updateTable('imports')
    .set({ status: 'running', started_at: tx.now, progress })
    .where('id', '=', importId)
    .execute();
}

/** Imports that have ended in the meantime stay as they are. */
export async function failImports(
  tx: BareWriteTx,
  importIds: readonly string[],
  error: { code: string; message: string },
): Promise<void> {
  if (importIds.length === 0) return;
  await endWorkLeases(tx, 'import', importIds);
  await tx.q
    .updateTable('imports')
    .set({ status: 'failed', error: JSON.stringify({ code: error.code, message: error.message }), finished_at: tx.now })
    .where('status', 'in', ['queued', 'running'])
    .where('id', 'in', importIds)
    .execute();
}
