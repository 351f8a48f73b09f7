import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleBackground, Reply, type BackgroundContext } from '../handler.ts';
import { keepAnswer, plainHeaders } from '../idempotent-answer.ts';
import type { ImportEndpoint } from './doors/analyse-file.ts';
import type { ImportFields } from './import-fields.contract.ts';
import type { ImportPreview } from './import-records.contract.ts';
import { importFile as operation } from './imports.contract.ts';
import { makePreview } from './preview-csv.ts';
import { readFile, refuse } from './doors/read-file.ts';
import { acceptImport, readImport, runImport } from './write/run-import.ts';
import { createSpool, type ImportSpool } from './doors/spool.ts';

export const importFile = handleBackground(operation, async (context, { body }) =>
  handleImport(context, body, 'any', readImport),
);

type Preference = 'respond-async' | 'wait' | null;
type DescribeImport<T> = (tx: ReadTx, importId: string, state: { isDone: boolean }) => Promise<T>;

const CREATED = 201;

/**
 * What every endpoint that takes a file does (36.8): reads it, then previews or imports it, before or after the answer.
 * `describeImport` gives the import in the response format of the endpoint.
 */
export async function handleImport<T>(
  context: BackgroundContext,
  fields: ImportFields,
  endpoint: ImportEndpoint,
  describeImport: DescribeImport<T>,
): Promise<Reply<T | ImportPreview>> {
  const { config, ids } = context.instance;
  const spool = createSpool(config.dataDir, ids.uuid());
  let goesOn = false;
  try {
    const reply = await answerImport(context, fields, endpoint, describeImport, spool);
    const { body, status = CREATED, headers, continuation } = reply;
    if (continuation === undefined) return reply;
    goesOn = true;
    return new Reply(body, { status, headers, continuation: () => continuation().finally(() => spool.close()) });
  } finally {
    if (!goesOn) spool.close();
  }
}

async function answerImport<T>(
  context: BackgroundContext,
  fields: ImportFields,
  endpoint: ImportEndpoint,
  describeImport: DescribeImport<T>,
  spool: ImportSpool,
): Promise<Reply<T | ImportPreview>> {
  const { instance, principal } = context;
  const file = await readFile(context, fields, { endpoint, spool });
  if (fields.dry_run) {
    const preview = await instance.database.read((tx) => makePreview(tx, instance, principal, file));
    return new Reply<T | ImportPreview>(preview, { status: 200 });
  }
  refuse(file);
  const preference = fields.prefer ?? statedPreference(context.request.prefer);
  const { importId, answer } = await acceptImport(context, file, (tx, id) => describeImport(tx, id, { isDone: false }));
  const isLong = file.analysis.total_rows > LIMITS.importSynchronousRecords;
  if (preference === 'respond-async' || (isLong && preference !== 'wait')) {
    const reply: Reply<T> = acceptedReply(context, answer, importId, preference, () =>
      runImport(context, file, importId, (tx) => storeReply(tx, context, reply)),
    );
    return reply;
  }
  const work = runImport(context, file, importId, async (tx) => {
    const headers = tx.journal.isEmpty() ? {} : { 'x-change-set-id': tx.journal.changeSetId };
    const done = await describeImport(tx, importId, { isDone: true });
    return storeReply(
      tx,
      context,
      new Reply(done, { status: CREATED, headers: { ...preferenceApplied(preference), ...headers } }),
    );
  });
  const outcome = await withinLimit(work);
  if (outcome !== LATE) return outcome;
  const waiting = await instance.database
    .read((tx) => describeImport(tx, importId, { isDone: false }))
    .catch(() => answer);
  return acceptedReply(context, waiting, importId, preference, () => work);
}

/** Stores the reply for retries, in the transaction that it describes, even if it has been sent already. */
async function storeReply<T>(tx: WriteTx, { claim }: BackgroundContext, reply: Reply<T>): Promise<Reply<T>> {
  const { status = CREATED, headers, body } = reply;
  if (claim) await keepAnswer(tx, claim, { status, headers: plainHeaders(headers), body: JSON.stringify(body) });
  return reply;
}

const LATE = Symbol('late');

/** The result of the work, or LATE if it takes longer than a caller waits. The work goes on. */
async function withinLimit<T>(work: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), LIMITS.preferWaitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** A 202 reply: the file was read and accepted, and `work` writes it after the reply. */
function acceptedReply<T>(
  { instance }: BackgroundContext,
  answer: T,
  importId: string,
  preference: Preference,
  work: () => Promise<unknown>,
): Reply<T> {
  return new Reply(answer, {
    status: 202,
    headers: {
      location: `/api/v1/imports/${importId}`,
      'retry-after': '1',
      ...preferenceApplied(preference === 'wait' ? null : preference),
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

function preferenceApplied(preference: Preference): Record<string, string> {
  return preference === null ? {} : { 'preference-applied': preference };
}

/** The first preference in the header `Prefer` that we know. */
function statedPreference(header: string | null): Preference {
  const words = (header ?? '').split(',').map((part) => part.trim().toLowerCase().split(/[;=]/)[0]);
  return words.find((word) => word === 'respond-async' || word === 'wait') ?? null;
}
