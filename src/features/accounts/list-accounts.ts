import type { ReadTx } from '../../db/unit-of-work.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { resolveUserIds } from '../users/index.ts';
import { parseFields, pickFields } from './account-fields.ts';
import { listAccounts as operation } from './accounts.contract.ts';
import { selectAccounts, selectConnectionIds } from './accounts.queries.ts';
import { inListOrder, toAccount } from './accounts.table.ts';

export const listAccounts = handleRead(operation, async ({ tx }, { query }) => {
  const fields = parseFields(query.fields);
  const rows = await selectAccounts(tx, {
    includeDisconnected: query.include_disconnected,
    ...(query.user_id ? { ownerIds: await resolveUserIds(tx, query.user_id, 'user_id') } : {}),
    ...(query.connection_id ? { connectionIds: await resolveConnectionIds(tx, query.connection_id) } : {}),
  });
  return inListOrder(rows).map((row) => pickFields(toAccount(row), fields));
});

/** @throws INVALID_PARAMETER for a name that no connection has. */
async function resolveConnectionIds(tx: ReadTx, anyIds: readonly string[]): Promise<string[]> {
  const known = new Map<string, string>();
  for (const { id, short_id } of await selectConnectionIds(tx, anyIds)) known.set(id, id).set(short_id, id);
  return anyIds.map((anyId) => {
    const id = known.get(anyId);
    if (id !== undefined) return id;
    throw invalidParameter(
      'connection_id',
      `connection_id: ${JSON.stringify(anyId.slice(0, 100))} is not a known connection.`,
    );
  });
}
