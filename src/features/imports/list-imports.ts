import type { ReadTx } from '../../db/unit-of-work.ts';
import { decodeCursor, encodeCursor, fingerprintOf, invalidCursor, type Position } from '../../kernel/cursor.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { findUser, unknownUser } from '../users/index.ts';
import { listImports as operation } from './imports.contract.ts';
import { findImport, selectImports, type ImportFilter } from './imports.queries.ts';
import { toImportSummary } from './imports.table.ts';
import { withLiveProgress } from './live-progress.ts';
import { findAccountRow, findConnection } from './targets.queries.ts';

export const listImports = handleRead(operation, async ({ tx, instance }, { query }) => {
  const { limit, cursor, ...filters } = query;
  const fingerprint = fingerprintOf(filters);
  const position = cursor === undefined ? null : await positionOf(tx, cursor, fingerprint);
  const filter: ImportFilter = {
    ...(await idsOf(tx, filters)),
    ...(filters.status === undefined ? {} : { statuses: filters.status }),
    ...(filters.format === undefined ? {} : { formats: filters.format }),
    ...(filters.from === undefined ? {} : { from: filters.from }),
    ...(filters.to === undefined ? {} : { to: filters.to }),
  };
  const rows = await selectImports(tx, filter, position, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    imports: shown.map((row) => withLiveProgress(instance, toImportSummary(row))),
    next_cursor: hasMore && last ? encodeCursor(fingerprint, { key: last.created_at, id: last.id }) : '',
    has_more: hasMore,
    limit,
  };
});

async function positionOf(tx: ReadTx, cursor: string, fingerprint: string): Promise<Position> {
  const position = decodeCursor(cursor, fingerprint);
  if (!(await findImport(tx, position.id))) {
    throw invalidCursor('The cursor points at an import that no longer exists. Start again from the first page.');
  }
  return position;
}

/** @throws INVALID_PARAMETER for an id that nothing has. */
async function idsOf(
  tx: ReadTx,
  filters: { account_id?: string | undefined; connection_id?: string | undefined; user_id?: string | undefined },
): Promise<Pick<ImportFilter, 'accountId' | 'connectionId' | 'userId'>> {
  const { account_id: accountId, connection_id: connectionId, user_id: userId } = filters;
  const account = accountId === undefined ? undefined : await findAccountRow(tx, accountId);
  if (accountId !== undefined && !account) throw invalidParameter('account_id', 'account_id: no account has this id.');
  const connection = connectionId === undefined ? undefined : await findConnection(tx, connectionId);
  if (connectionId !== undefined && !connection) {
    throw invalidParameter('connection_id', 'connection_id: no connection has this id.');
  }
  const user = userId === undefined ? undefined : await findUser(tx, userId);
  if (userId !== undefined && !user) throw unknownUser('user_id', userId);
  return {
    ...(account === undefined ? {} : { accountId: account.id }),
    ...(connection === undefined ? {} : { connectionId: connection.id }),
    ...(user === undefined ? {} : { userId: user.id }),
  };
}
