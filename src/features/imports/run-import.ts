import { shortIdFor } from '../../db/short-ids.ts';
import type { Database } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import type { BackgroundContext } from '../handler.ts';
import { readingKey, sourceKey } from './already-imported.ts';
import { copyOf } from './copy-of.ts';
import type { ImportRecord } from './import-records.contract.ts';
import { failUnfinished, findImport, insertImport, isImporting, updateImport } from './imports.queries.ts';
import { optionsOf, progressOf, storedTexts, toImport } from './imports.table.ts';
import { bareProof } from './proof-record.ts';
import type { ReadFile } from './read-file.ts';
import { findGivenTarget } from './given-target.ts';
import { writeImport } from './write-import.ts';

/** Stores the record of an import that was accepted (36.8.1, step 2); nothing else is written yet. */
export async function acceptImport(context: BackgroundContext, file: ReadFile): Promise<string> {
  const { instance, principal } = context;
  const { analysis } = file;
  const actor = principal?.actor ?? { type: 'system' as const, id: null, userId: null, name: 'import' };
  return bookkeep(instance.database, async (tx) => {
    const given = await findGivenTarget(tx, file.fields, principal);
    const id = tx.ids.uuid();
    const isWaiting = await isImporting(tx);
    const unknown = { value: null, confidence: 'none' as const, evidence: [], candidates: [] };
    const counts = {
      total: analysis.total_rows,
      added: 0,
      updated: 0,
      duplicate: 0,
      deleted: 0,
      skipped: 0,
      invalid: 0,
      removed: 0,
      pending: 0,
    };
    await insertImport(tx, {
      id,
      short_id: await shortIdFor(tx, 'imports'),
      status: isWaiting ? 'queued' : 'running',
      format: analysis.format,
      file_name: file.fileName,
      file_bytes: file.bytes,
      file_sha256: file.sha256,
      reading_key: readingKey(analysis),
      source_key: sourceKey(analysis),
      header_signature: analysis.header_signature,
      user_id: given.user.id,
      connection_id: given.connection?.id ?? given.account?.connection_id ?? null,
      account_id: given.account?.id ?? null,
      first_date: analysis.first_date,
      last_date: analysis.last_date,
      ...storedTexts(
        {
          accounts: [],
          counts,
          totals: [],
          first_date: analysis.first_date,
          last_date: analysis.last_date,
          detection: copyOf({ ...analysis.detection, account: unknown }),
          mapping: copyOf(analysis.mapping),
          profile: null,
          balance_proof: bareProof(file),
          warnings: analysis.warnings.map((one) => ({ ...one, lines: [...one.lines] })),
          unmatched_categories: [],
        },
        optionsOf(file),
      ),
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
    });
    return id;
  });
}

/** Writes an accepted import, and on any failure marks its record; answers its change set. @throws what stopped it */
export async function runImport(context: BackgroundContext, file: ReadFile, importId: string): Promise<string | null> {
  const { database } = context.instance;
  try {
    return await writeImport(context, file, importId);
  } catch (error) {
    const { code, message } =
      error instanceof AppError
        ? error
        : { code: 'INTERNAL_ERROR', message: 'The import failed on our side. Nothing was written. Try again.' };
    await bookkeep(database, (tx) =>
      updateImport(tx, importId, { status: 'failed', error: JSON.stringify({ code, message }), finished_at: tx.now }),
    );
    throw error;
  }
}

export async function readImport(database: Database, importId: string): Promise<ImportRecord> {
  return database.read(async (tx) => {
    const row = await findImport(tx, importId);
    if (!row) throw new Error('The record of an import is gone.');
    return toImport(tx, row);
  });
}

/** At start-up: an import that was under way when the service stopped wrote nothing (36.8.6). */
export async function failInterruptedImports(database: Database): Promise<number> {
  const error = JSON.stringify({
    code: 'UNAVAILABLE',
    message: 'The service stopped during this import. Nothing was written. Import the file again.',
  });
  return bookkeep(database, (tx) => failUnfinished(tx, error));
}
