import type { ReadTx } from '../../db/unit-of-work.ts';
import { findChangeSet } from '../../journal/journal.queries.ts';
import { cutPage, decodeCursor, fingerprintOf, positionAfter, wholeNumber } from '../../kernel/cursor.ts';
import { AppError, notFound, unknownId } from '../../kernel/errors.ts';
import { revertSet, toChangeSet } from '../change-sets/index.ts';
import type { WriteTx } from '../../journal/write.ts';
import { takeOut } from './write/undo-import.ts';
import { handleRead, handleWrite, type Instance } from '../handler.ts';
import { unknownUser, users } from '../users/index.ts';
import type { ImportSummary } from './import-records.contract.ts';
import * as operations from './imports.contract.ts';
import {
  findImport,
  selectImportRows,
  selectImports,
  type ImportFilter,
  type ImportRowStored,
  type RowPlace,
} from './records/imports.queries.ts';
import { toImport, toImportSummary } from './records/imports.table.ts';
import { toImportRow } from './records/row-record.ts';
import { findAccountRow, findConnection } from './target/targets.queries.ts';

export const listImports = handleRead(operations.listImports, async ({ tx, instance }, { query }) => {
  const { limit, cursor, ...filters } = query;
  const filter: ImportFilter = {
    ...(await idsOf(tx, filters)),
    ...(filters.status === undefined ? {} : { statuses: filters.status }),
    ...(filters.format === undefined ? {} : { formats: filters.format }),
    ...(filters.from === undefined ? {} : { from: filters.from }),
    ...(filters.to === undefined ? {} : { to: filters.to }),
  };
  const fingerprint = fingerprintOf({ ...filter });
  const position = await positionAfter(cursor, fingerprint, (id) => findImport(tx, id));
  const rows = await selectImports(tx, filter, position, limit + 1);
  const { shown, end } = cutPage(rows, limit, fingerprint, (last) => ({ key: last.created_at, id: last.id }));
  return {
    imports: shown.map((row) => withLiveProgress(instance, toImportSummary(row))),
    ...end,
  };
});

/** @throws INVALID_PARAMETER for an unknown id */
async function idsOf(
  tx: ReadTx,
  filters: { account_id?: string | undefined; connection_id?: string | undefined; user_id?: string | undefined },
): Promise<Pick<ImportFilter, 'accountId' | 'connectionId' | 'userId'>> {
  const { account_id: accountId, connection_id: connectionId, user_id: userId } = filters;
  const account = accountId === undefined ? undefined : await findAccountRow(tx, accountId);
  if (accountId !== undefined && !account) throw unknownId('account_id', 'account', accountId);
  const connection = connectionId === undefined ? undefined : await findConnection(tx, connectionId);
  if (connectionId !== undefined && !connection) throw unknownId('connection_id', 'connection', connectionId);
  const user = userId === undefined ? undefined : await users.find(tx, userId);
  if (userId !== undefined && !user) throw unknownUser('user_id', userId);
  return {
    ...(account === undefined ? {} : { accountId: account.id }),
    ...(connection === undefined ? {} : { connectionId: connection.id }),
    ...(user === undefined ? {} : { userId: user.id }),
  };
}

export const getImport = handleRead(operations.getImport, async ({ tx, instance }, { params }) => {
  const row = await findImport(tx, params.id);
  if (!row) throw notFound('import');
  return withLiveProgress(instance, await toImport(tx, row));
});

export const listImportRows = handleRead(operations.listImportRows, async ({ tx }, { params, query }) => {
  const found = await findImport(tx, params.id);
  if (!found) throw notFound('import');
  const { limit, cursor, ...filters } = query;
  const fingerprint = fingerprintOf({ import: found.id, ...filters });
  const after = cursor === undefined ? null : placeOf(cursor, fingerprint);
  const rows = await selectImportRows(tx, found.id, filters, after, limit + 1);
  const { shown, end } = cutPage(rows, limit, fingerprint, (last) => ({
    key: String(last.line),
    id: String(last.part),
  }));
  return {
    rows: shown.map(toImportRow),
    ...end,
  };
});

function placeOf(cursor: string, fingerprint: string): RowPlace {
  const { key, id } = decodeCursor(cursor, fingerprint);
  return { line: wholeNumber(key), part: wholeNumber(id) };
}

/** Reverts the change set of an import and counts what that did to its rows (contract 36.11). */
export const revertImport = handleWrite(
  operations.revertImport,
  'change_set.revert',
  async ({ tx, instance }, { params, body }) => {
    const found = await findImport(tx, params.id);
    if (!found) throw notFound('import');
    const setId = changeSetOf(found);
    if (setId === null) return takeOutOf(tx, found, body);
    const set = await findChangeSet(tx, setId);
    if (!set) throw new Error('The change set of an import no longer exists.');
    const { answer, deletedCount, restoredCount, keptCount } = await revertSet(tx, await instance.undos(), set, body);
    const after = (await findImport(tx, found.id)) ?? found;
    return {
      ...answer,
      deleted_count: deletedCount,
      restored_count: restoredCount,
      kept_count: keptCount,
      import: await toImport(tx, after),
    };
  },
);

function changeSetOf({ status, change_set_id: changeSetId }: ImportRowStored): string | null {
  if (status === 'queued' || status === 'running') {
    throw new AppError('CONFLICT', 'The import is still running. Wait until it has finished, then revert it.');
  }
  if (status === 'failed') {
    throw new AppError('CONFLICT', 'The import failed and wrote nothing, so there is nothing to revert.');
  }
  if (status === 'reverted') throw new AppError('ALREADY_REVERTED', 'This import has already been reverted.');
  return changeSetId;
}

/** Reverts an import that changed nothing itself: rows that came over to it from reverted ones are taken out (36.11). */
async function takeOutOf(
  tx: WriteTx,
  found: ImportRowStored,
  { dry_run: isDryRun, on_conflict: onConflict }: { dry_run: boolean; on_conflict: 'refuse' | 'skip' | 'force' },
) {
  tx.journal.refine({ source: 'revert', action: 'import.revert' });
  tx.journal.summarise('Took out the transactions of an import');
  const run = () => takeOut(tx, found.id, onConflict === 'force');
  const { undoneCount, keptCount, met } = isDryRun ? await tx.rehearse(run) : await run();
  const held = met.filter(({ obstacle }) => obstacle.work !== 'overruled');
  if (undoneCount + held.length === 0)
    throw new AppError('NOT_REVERTIBLE', 'The import changed nothing, so there is nothing to revert.');
  if (held.length > 0 && onConflict === 'refuse' && !isDryRun) {
    const message = 'People have worked on some of its transactions since. Send on_conflict: skip or force.';
    throw new AppError('REVERT_CONFLICT', message);
  }
  return {
    change_set: tx.journal.isEmpty() ? null : toChangeSet(tx.journal.changeSet()),
    reverted_change_set_id: null,
    reverted_count: undoneCount,
    skipped: [],
    skipped_count: held.length,
    worked_on_count: held.length,
    message: null,
    dry_run: isDryRun,
    deleted_count: undoneCount,
    restored_count: 0,
    kept_count: keptCount,
    import: await toImport(tx, (await findImport(tx, found.id)) ?? found),
  };
}

/** The record with its current progress, which the database shows only after the commit. */
function withLiveProgress<T extends Pick<ImportSummary, 'id' | 'status' | 'progress'>>(
  { progress }: Instance,
  record: T,
): T {
  const live = record.status === 'running' ? progress.of(record.id) : undefined;
  return live === undefined ? record : { ...record, progress: JSON.parse(live) as T['progress'] };
}
