import type { ImportFields } from './import-fields.contract.ts';
import type { ImportPreview } from './import-records.contract.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Reply, type BackgroundContext } from '../handler.ts';
import type { Door } from './analyse-file.ts';
import { makePreview } from './make-preview.ts';
import { readFile } from './read-file.ts';
import { refuse } from './refuse.ts';
import { acceptImport, runImport } from './run-import.ts';

type Preference = 'respond-async' | 'wait' | null;
type Answering<T> = (importId: string, isDone: boolean) => Promise<T>;

/**
 * What every path that takes a file does (36.8): reads it, then previews it or imports it, at once or after the
 * answer. `answerOf` tells in its path's own words how the import stands.
 */
export async function takeImport<T>(
  context: BackgroundContext,
  fields: ImportFields,
  door: Door,
  answerOf: Answering<T>,
): Promise<Reply<T | ImportPreview>> {
  const { instance, principal } = context;
  const file = await readFile(instance, principal, fields, context.file, door);
  if (fields.dry_run) {
    const preview = await instance.database.read((tx) => makePreview(tx, instance, principal, file));
    return new Reply<T | ImportPreview>(preview, { status: 200 });
  }
  refuse(file);
  const preference = fields.prefer ?? statedPreference(context.request.prefer);
  const importId = await acceptImport(context, file);
  const later = async (work: () => Promise<unknown>): Promise<Reply<T>> =>
    accepted(context, await answerOf(importId, false), { importId, preference, work });
  const isLong = file.analysis.total_rows > LIMITS.importSynchronousRecords;
  if (preference === 'respond-async' || (isLong && preference !== 'wait')) {
    return later(() => runImport(context, file, importId));
  }
  const work = runImport(context, file, importId);
  const outcome = await withinLimit(work);
  if (outcome === LATE) return later(() => work);
  const headers = { ...applied(preference), ...(outcome === null ? {} : { 'x-change-set-id': outcome }) };
  return new Reply<T | ImportPreview>(await answerOf(importId, true), { headers });
}

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
function accepted<T>(
  { instance }: BackgroundContext,
  answer: T,
  { importId, preference, work }: { importId: string; preference: Preference; work: () => Promise<unknown> },
): Reply<T> {
  return new Reply(answer, {
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

function applied(preference: Preference): Record<string, string> {
  return preference === null ? {} : { 'preference-applied': preference };
}

/** The first preference of the header that means something here. */
function statedPreference(header: string | null): Preference {
  const words = (header ?? '').split(',').map((part) => part.trim().toLowerCase().split(/[;=]/)[0]);
  return words.find((word) => word === 'respond-async' || word === 'wait') ?? null;
}
