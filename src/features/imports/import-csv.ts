import { LIMITS } from '../../kernel/limits.ts';
import { handleBackground, Reply, type BackgroundContext } from '../handler.ts';
import type { CsvResult, ImportRecord } from './import-records.contract.ts';
import { importCsv as operation } from './imports.contract.ts';
import { makePreview } from './make-preview.ts';
import { readFile } from './read-file.ts';
import { refuse } from './refuse.ts';
import { acceptImport, readImport, runImport } from './run-import.ts';
import { findConnection } from './targets.queries.ts';

type Preference = 'respond-async' | 'wait' | null;

export const importCsv = handleBackground(operation, async (context, { body }) => {
  const { instance, principal } = context;
  const file = await readFile(instance, principal, body, context.file, 'csv');
  if (body.dry_run) {
    const preview = await instance.database.read((tx) => makePreview(tx, instance, principal, file));
    return new Reply(preview, { status: 200 });
  }
  refuse(file);
  const preference = body.prefer ?? statedPreference(context.request.prefer);
  const importId = await acceptImport(context, file);
  const isLong = file.analysis.total_rows > LIMITS.importSynchronousRecords;
  if (preference === 'respond-async' || (isLong && preference !== 'wait')) {
    return accepted(context, importId, preference, () => runImport(context, file, importId));
  }
  const work = runImport(context, file, importId);
  const outcome = await withinLimit(work);
  if (outcome === LATE) return accepted(context, importId, preference, () => work);
  const headers = { ...applied(preference), ...(outcome === null ? {} : { 'x-change-set-id': outcome }) };
  return new Reply(await resultOf(context, importId), { headers });
});

const LATE = Symbol('late');

/** The change set of the work, or LATE when the answer cannot wait any longer. */
async function withinLimit(work: Promise<string | null>): Promise<string | null | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), LIMITS.preferWaitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** 202: the file was read and would be taken; the writing goes on after the answer. */
async function accepted(
  context: BackgroundContext,
  importId: string,
  preference: Preference,
  work: () => Promise<unknown>,
): Promise<Reply<CsvResult>> {
  const { instance } = context;
  return new Reply(await resultOf(context, importId), {
    status: 202,
    headers: {
      location: `/api/v1/imports/${importId}`,
      'retry-after': '1',
      ...applied(preference === 'wait' ? null : preference),
    },
    continuation: async () => {
      try {
        await work();
      } catch (error) {
        instance.logger.error({ err: error, import_id: importId }, 'An import failed.');
      }
    },
  });
}

async function resultOf({ instance }: BackgroundContext, importId: string): Promise<CsvResult> {
  const record = await readImport(instance.database, importId);
  const { connection_id: id } = record;
  const connection = id === null ? undefined : await instance.database.read((tx) => findConnection(tx, id));
  return toResult(record, connection ?? null);
}

function toResult(
  record: ImportRecord,
  connection: { institution_name: string | null; status: string } | null,
): CsvResult {
  const { counts } = record;
  return {
    connection_id: record.connection_id,
    account_id: record.account_id,
    institution_name: connection?.institution_name ?? null,
    status: connection?.status ?? null,
    imported_transactions: counts.added,
    updated_transactions: counts.updated,
    skipped_duplicates: counts.duplicate + counts.deleted,
    total_rows: counts.total,
    import: record,
  };
}

function applied(preference: Preference): Record<string, string> {
  return preference === null ? {} : { 'preference-applied': preference };
}

/** The first preference of the header that means something here. */
function statedPreference(header: string | null): Preference {
  const words = (header ?? '').split(',').map((part) => part.trim().toLowerCase().split(/[;=]/)[0]);
  return words.find((word) => word === 'respond-async' || word === 'wait') ?? null;
}
