import type { ImportsTable } from '../../../db/schema.ts';
import { shortIdFor } from '../../../db/short-ids.ts';
import { UnansweredCommit } from '../../../db/unavailable.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import { isCurrencyStated } from '../../../engines/imports/questions/currency.ts';
import { type Actor, bookkeep, type WriteTx } from '../../../journal/write.ts';
import { AppError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { actorOf, type BackgroundContext } from '../../handler.ts';
import { takeWorkLease } from '../../work-leases.ts';
import { readingKey, sourceKey } from '../plan/already-imported.ts';
import { reportOfReading } from '../plan/describe-plan.ts';
import type { ImportRecord } from '../import-records.contract.ts';
import { takeTurn } from '../doors/import-turn.ts';
import { failImports, findImport, insertImport, selectUnfinished } from '../records/imports.queries.ts';
import { optionsOf, progressOf, storedTexts, toImport } from '../records/imports.table.ts';
import { NOTHING_LEARNED } from './learned-settings.ts';
import type { ReadFile } from '../doors/read-file.ts';
import { findAccountRow, findConnection } from '../target/targets.queries.ts';
import { writeImport } from './write-import.ts';

/**
 * Stores the record of an accepted import (36.8.1, step 2) and answers with it. Nothing else is written yet.
 * @throws UNAVAILABLE when too many imports are waiting
 */
export async function acceptImport<T>(
  context: BackgroundContext,
  file: ReadFile,
  answerOf: (tx: ReadTx, importId: string) => Promise<T>,
): Promise<{ importId: string; answer: T }> {
  const { database } = context.instance;
  const holder = await database.presence();
  const accepted = await bookkeep(database, async (tx) => {
    const others = await selectUnfinished(tx);
    if (others.filter(({ status }) => status === 'queued').length >= LIMITS.importsWaiting) throw tooManyWaiting();
    const record = await newRecord(tx, file, actorOf(context.principal), others.length > 0);
    await insertImport(tx, record);
    await takeWorkLease(tx, { kind: 'import', id: record.id }, holder);
    return { importId: record.id, answer: await answerOf(tx, record.id) };
  });
  context.onFileRead();
  return accepted;
}

/** The record before anything is written: what was read, and nothing counted yet. */
async function newRecord(tx: BareWriteTx, file: ReadFile, actor: Actor, isWaiting: boolean): Promise<ImportsTable> {
  const { analysis } = file;
  return {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'imports'),
    status: isWaiting ? 'queued' : 'running',
    format: analysis.format,
    file_name: file.fileName,
    file_bytes: file.bytes,
    file_sha256: file.sha256,
    reading_key: readingKey(analysis),
    currency_stated: isCurrencyStated(analysis.detection.currency) ? 1 : 0,
    source_key: sourceKey(analysis),
    header_signature: analysis.header_signature,
    user_id: file.userId,
    ...(await givenIds(tx, file)),
    first_date: analysis.first_date,
    last_date: analysis.last_date,
    ...storedTexts(reportOfReading(file), optionsOf(file), NOTHING_LEARNED),
    error: null,
    progress: progressOf(isWaiting ? 'waiting' : 'matching', 0, analysis.total_rows),
    actor_type: actor.type,
    actor_id: actor.id,
    actor_user_id: actor.userId,
    actor_name: actor.name,
    change_set_id: null,
    revert_change_set_id: null,
    created_at: tx.now,
    started_at: isWaiting ? null : tx.now,
    finished_at: null,
    reverted_at: null,
  };
}

/** The ids in the request. What the import finds or creates is known when it is done. */
async function givenIds(tx: ReadTx, { fields }: ReadFile): Promise<Pick<ImportsTable, 'connection_id' | 'account_id'>> {
  const account = fields.account_id === undefined ? undefined : await findAccountRow(tx, fields.account_id);
  const connection = fields.connection_id === undefined ? undefined : await findConnection(tx, fields.connection_id);
  return { connection_id: connection?.id ?? account?.connection_id ?? null, account_id: account?.id ?? null };
}

function tooManyWaiting(): AppError {
  return new AppError('UNAVAILABLE', 'Too many imports are waiting. Try again in a moment.', {
    headers: { 'retry-after': '2' },
  });
}

const OURS = 'The import failed because of an error in Homeledger. Nothing was written. Try again.';
const NOT_KEPT = 'The database became unavailable during this import. Nothing was written. Import the file again.';

/**
 * Waits for the import's turn, then writes it, with `finish` as the last step of its transaction. If anything fails,
 * the record says so. @throws whatever stopped the import
 */
export async function runImport<T>(
  context: BackgroundContext,
  file: ReadFile,
  importId: string,
  finish: (tx: WriteTx) => Promise<T>,
): Promise<T> {
  const { database, untilDone } = context.instance;
  try {
    context.instance.failpoint('import:accepted');
    await takeTurn(context.instance, importId);
    return await writeImport(context, file, importId, finish);
  } catch (error) {
    const { code, message } = error instanceof AppError ? error : { code: 'INTERNAL_ERROR', message: OURS };
    // If the commit was not answered, it may have succeeded: a record that has ended stays as it is.
    const failure = { code, message: error instanceof UnansweredCommit ? NOT_KEPT : message };
    await untilDone(() => bookkeep(database, (tx) => failImports(tx, [importId], failure)));
    throw error;
  } finally {
    context.instance.progress.note(importId, null);
  }
}

export async function readImport(tx: ReadTx, importId: string): Promise<ImportRecord> {
  const row = await findImport(tx, importId);
  if (!row) throw new Error('The record of an import no longer exists.');
  return toImport(tx, row);
}
