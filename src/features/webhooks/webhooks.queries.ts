import { sql, type Selectable } from 'kysely';

import type { ConnectionsTable } from '../../db/schema.ts';
import type { WebhookEventsTable } from '../../db/schema-sync.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

export type EventRow = Selectable<WebhookEventsTable>;

export interface EventFilter {
  provider: string | undefined;
  status: string | undefined;
  eventType: string | undefined;
  connectionId: string | undefined;
}

export async function countEvents(tx: ReadTx, filter: EventFilter): Promise<number> {
  const { total } = await filtered(tx, filter)
    .select((row) => row.fn.countAll().$castTo<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** One page of events, newest first. */
export async function selectEvents(
  tx: ReadTx,
  filter: EventFilter,
  { page, limit }: { page: number; limit: number },
): Promise<EventRow[]> {
  return filtered(tx, filter)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
}

/** An event by UUID or short_id. */
export async function findEvent(tx: ReadTx, anyId: string): Promise<EventRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('webhook_events').selectAll().where(column, '=', anyId).executeTakeFirst();
}

function filtered(tx: ReadTx, { provider, status, eventType, connectionId }: EventFilter) {
  let events = tx.q.selectFrom('webhook_events');
  if (provider !== undefined) events = events.where('provider', '=', provider);
  if (status !== undefined) events = events.where('status', '=', status);
  if (eventType !== undefined) events = events.where('event_type', '=', eventType);
  if (connectionId !== undefined) events = events.where('connection_id', '=', connectionId);
  return events;
}

/** The newest event with this body. */
export async function findLatest(tx: ReadTx, provider: string, hash: string): Promise<EventRow | undefined> {
  return tx.q
    .selectFrom('webhook_events')
    .selectAll()
    .where('provider', '=', provider)
    .where('raw_payload_hash', '=', hash)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function findConnectionByItem(
  tx: ReadTx,
  provider: string,
  itemId: string,
): Promise<ConnectionsTable | undefined> {
  return tx.q
    .selectFrom('connections')
    .selectAll()
    .where('provider', '=', provider)
    .where('external_id', '=', itemId)
    .executeTakeFirst();
}

/** The connection that one of these accounts of the provider is reported under. */
export async function findConnectionByAccounts(
  tx: ReadTx,
  provider: string,
  accountIds: readonly string[],
): Promise<ConnectionsTable | undefined> {
  return tx.q
    .selectFrom('connections')
    .innerJoin('account_feeds', 'account_feeds.connection_id', 'connections.id')
    .selectAll('connections')
    .where('connections.provider', '=', provider)
    .where(tx.portable.inList(sql.ref('account_feeds.external_account_id'), accountIds))
    .limit(1)
    .executeTakeFirst();
}
