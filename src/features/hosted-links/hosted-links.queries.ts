import type { LinkSessionsTable } from '../../db/schema-sync.ts';
import { idColumn, shortIdFor } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isEnded, nextStatus, type SessionEvent, type SessionStatus } from './session-states.ts';

export type SessionRow = LinkSessionsTable & {
  status: SessionStatus;
  user_short_id: string;
  user_name: string;
  institution_name: string | null;
};

export type NewSession = Pick<
  LinkSessionsTable,
  | 'token_hash'
  | 'user_id'
  | 'provider'
  | 'action'
  | 'connection_id'
  | 'is_single_use'
  | 'redirect_url'
  | 'label'
  | 'actor_type'
  | 'actor_id'
  | 'actor_user_id'
  | 'actor_name'
  | 'expires_at'
>;

export async function insertSession(tx: BareWriteTx, wanted: NewSession): Promise<SessionRow> {
  const row: LinkSessionsTable = {
    ...wanted,
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'link_sessions'),
    status: 'pending',
    error_code: null,
    error_message: null,
    result_connection_ids: '[]',
    claimed_at: null,
    started_at: null,
    completed_at: null,
    created_at: tx.now,
  };
  await tx.q.insertInto('link_sessions').values(row).execute();
  return (await findById(tx, row.id)) as SessionRow;
}

/** A session by UUID or short_id. */
export async function findSession(tx: ReadTx, anyId: string): Promise<SessionRow | undefined> {
  const column = idColumn(anyId);
  return column && sessions(tx).where(`link_sessions.${column}`, '=', anyId).executeTakeFirst();
}

export async function findByTokenHash(tx: ReadTx, hash: string): Promise<SessionRow | undefined> {
  return sessions(tx).where('link_sessions.token_hash', '=', hash).executeTakeFirst();
}

async function findById(tx: ReadTx, id: string): Promise<SessionRow | undefined> {
  return sessions(tx).where('link_sessions.id', '=', id).executeTakeFirst();
}

/** Sessions that renew a connection and have not ended. */
export async function selectOpenOf(tx: ReadTx, connectionId: string): Promise<SessionRow[]> {
  return sessions(tx)
    .where('link_sessions.connection_id', '=', connectionId)
    .where('link_sessions.status', 'in', ['pending', 'active', 'consumed'])
    .execute();
}

/** Sessions that have expired but are not yet marked as such. */
export async function selectDue(tx: ReadTx, now: string): Promise<SessionRow[]> {
  return sessions(tx)
    .where('link_sessions.status', 'in', ['pending', 'active'])
    .where('link_sessions.expires_at', '<=', now)
    .execute();
}

/** Sessions whose claim has not been renewed since then: the process that held it is gone. */
export async function selectAbandoned(tx: ReadTx, since: string): Promise<SessionRow[]> {
  return sessions(tx)
    .where('link_sessions.status', '=', 'consumed')
    .where('link_sessions.claimed_at', '<=', since)
    .execute();
}

export async function renewClaim(tx: BareWriteTx, id: string): Promise<void> {
  const claimed = tx.q.updateTable('link_sessions').set({ claimed_at: tx.now });
  await claimed.where('id', '=', id).where('status', '=', 'consumed').execute();
}

export async function deleteEndedBefore(tx: BareWriteTx, before: string): Promise<void> {
  const ended = tx.q.deleteFrom('link_sessions').where('status', 'in', ['completed', 'failed', 'expired']);
  await ended.where('completed_at', '<=', before).execute();
}

function sessions(tx: ReadTx) {
  return tx.q
    .selectFrom('link_sessions')
    .innerJoin('users', 'users.id', 'link_sessions.user_id')
    .leftJoin('connections', 'connections.id', 'link_sessions.connection_id')
    .selectAll('link_sessions')
    .select(['users.short_id as user_short_id', 'users.name as user_name', 'connections.institution_name'])
    .$castTo<SessionRow>();
}

export function resultsOf({ result_connection_ids: ids }: Pick<SessionRow, 'result_connection_ids'>): string[] {
  return JSON.parse(ids) as string[];
}

/** A session's status now: an expired one has ended, whether or not that has been written yet. */
export function statusAt(row: SessionRow, now: string): SessionStatus {
  if (row.expires_at > now) return row.status;
  return nextStatus(row.status, 'due', resultsOf(row).length > 0) ?? row.status;
}

interface SessionError {
  code: string;
  message: string | null;
}

/**
 * Moves a session as the table says, by one conditional write. What failed is noted only where that leads to `failed`.
 * Answers the session as it is then; undefined if it did not move.
 */
export async function moveSession(
  tx: BareWriteTx,
  row: SessionRow,
  event: SessionEvent,
  { error, ...stamps }: { error?: SessionError } & Partial<Pick<SessionRow, 'claimed_at' | 'started_at'>> = {},
): Promise<SessionRow | undefined> {
  const hasResult = resultsOf(row).length > 0;
  const from = event === 'due' ? row.status : statusAt(row, tx.now);
  const to = nextStatus(from, event, hasResult);
  if (to === undefined) return undefined;
  const failure = to === 'failed' && error ? { error_code: error.code, error_message: error.message } : {};
  const change = { ...stamps, ...failure, status: to, ...(isEnded(to) ? { completed_at: tx.now } : {}) };
  const { numUpdatedRows } = await tx.q
    .updateTable('link_sessions')
    .set(change)
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? { ...row, ...change } : undefined;
}

/** Adds a connection to the results of a session, once. */
export async function addResult(tx: BareWriteTx, row: SessionRow, connectionId: string): Promise<SessionRow> {
  const ids = JSON.stringify([...new Set([...resultsOf(row), connectionId])]);
  await tx.q.updateTable('link_sessions').set({ result_connection_ids: ids }).where('id', '=', row.id).execute();
  return { ...row, result_connection_ids: ids };
}

export async function countAccounts(tx: ReadTx, connectionId: string): Promise<number> {
  const { count } = await tx.q
    .selectFrom('accounts')
    .select((all) => all.fn.countAll<number | string>().as('count'))
    .where('connection_id', '=', connectionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
