import type { z } from 'zod';

import { handleBackground, type BackgroundContext } from '../handler.ts';
import { csvResult, handleImport } from '../imports/index.ts';
import { requireProvider } from '../providers/index.ts';
import { resolveMember } from '../users/index.ts';
import { createConnection as operation } from './connection-create.contract.ts';
import { findConnectionRow } from './connections.queries.ts';
import { toConnection } from './connections.entity.ts';

type Body = z.output<(typeof operation)['body'] & z.ZodType>;
type CsvBody = Extract<Body, { provider: 'csv' }>;

export const createConnection = handleBackground(operation, async (context, { body }) => {
  if (body.provider === 'csv') return importFile(context, body);
  const { instance } = context;
  await instance.database.read(async (tx) => resolveMember(tx, { given: body.user_id, callerId: null }));
  await requireProvider(instance, body.provider);
  throw new Error('No provider can be linked.');
});

async function importFile(context: BackgroundContext, { credentials, user_id: userId }: CsvBody) {
  return handleImport(context, { ...credentials, user_id: userId }, 'csv', async (tx, importId, isDone) => {
    const result = await csvResult(tx, importId);
    const { connection_id: id } = result;
    if (!isDone || id === null) return result;
    const connection = await findConnectionRow(tx, id);
    return connection ? { ...toConnection(connection), ...result } : result;
  });
}
