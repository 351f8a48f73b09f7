import { handleBackground } from '../handler.ts';
import { csvResult, handleImport } from '../imports/index.ts';
import { createConnection as operation } from './connections.contract.ts';
import { findConnectionRow } from './connections.queries.ts';
import { toConnection } from './connections.entity.ts';

export const createConnection = handleBackground(operation, async (context, { body }) => {
  const { credentials, user_id: userId } = body;
  return handleImport(context, { ...credentials, user_id: userId }, 'csv', async (tx, importId, isDone) => {
    const result = await csvResult(tx, importId);
    const { connection_id: id } = result;
    if (!isDone || id === null) return result;
    const connection = await findConnectionRow(tx, id);
    return connection ? { ...toConnection(connection), ...result } : result;
  });
});
