import type { z } from 'zod';

import type { WriteTx } from '../../journal/write.ts';
import { handleBackground, originOf, Reply, type BackgroundContext } from '../handler.ts';
import { keepAnswer } from '../idempotent-answer.ts';
import { csvResult, handleImport } from '../imports/index.ts';
import { bankOfBody, linkBank, type BankBody, type LinkedBank } from '../linking/index.ts';
import { tellingAdmin } from '../providers/index.ts';
import { createConnection as operation } from './connection-create.contract.ts';
import type { CsvLink } from './connection-create.contract.ts';
import { toConnection } from './connections.entity.ts';
import { findConnectionRow, getConnectionRow } from './connections.queries.ts';

export const createConnection = handleBackground(operation, async (context, { body }) =>
  body.provider === 'csv' ? importFile(context, body) : link(context, body),
);

const [CREATED, CHANGED] = [201, 200];

/** The answer is stored with the connection, so that a retry finds out what happened. */
async function link(context: BackgroundContext, body: BankBody) {
  const { instance, claim, onFileRead } = context;
  // No file comes, so the place of an upload is free.
  onFileRead();
  const onLinked = async (tx: WriteTx, { connection, isNew }: LinkedBank) => {
    const record = toConnection(await getConnectionRow(tx, connection.id));
    const status = isNew ? CREATED : CHANGED;
    const location = isNew ? { location: `/api/v1/connections/${connection.id}` } : {};
    const headers = { ...location, 'x-change-set-id': tx.journal.changeSetId };
    if (claim) await keepAnswer(tx, claim, { status, headers, body: JSON.stringify(record) });
    return new Reply(record, { status, headers });
  };
  const origin = originOf(context, 'connection.create');
  return tellingAdmin(context.principal, () => linkBank({ instance, origin, onLinked }, bankOfBody(body)));
}

async function importFile(context: BackgroundContext, { credentials, user_id: userId }: z.output<typeof CsvLink>) {
  return handleImport(context, { ...credentials, user_id: userId }, 'csv', async (tx, importId, { isDone }) => {
    const result = await csvResult(tx, importId);
    const { connection_id: id } = result;
    if (!isDone || id === null) return result;
    const connection = await findConnectionRow(tx, id);
    return connection ? { ...toConnection(connection), ...result } : result;
  });
}
