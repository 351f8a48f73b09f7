import { createHash } from 'node:crypto';

import type { ConnectionsTable, PendingLinksTable } from '../../db/schema.ts';
import { bookkeep, type WriteTx } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Access, Provider } from '../../providers/provider.ts';
import type { Instance } from '../handler.ts';
import { accessOf, asking } from '../providers/index.ts';
import { openSecret, sealSecret } from '../secret-records.ts';
import {
  deletePendingLink,
  findByItem,
  findPendingLink,
  forgetPendingAccess,
  insertPendingLink,
  selectPendingLinks,
} from './links.queries.ts';
import { revokeLink, revokeWithin } from './revoke.ts';

/** What was exchanged and is not a connection yet. Its token can be sent again for a while (contract 30.2.2). */
export interface PendingLink {
  id: string;
  access: Access;
}

/** A token that works once at its provider, and whose it is. */
export interface OneTimeToken {
  token: string;
  credentials: Readonly<Record<string, unknown>>;
  memberId: string;
}

function pendingLinkId(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Running exchanges, so that a token sent twice at once is exchanged once. */
const running = new WeakMap<Instance, Map<string, Promise<Access>>>();

/** The access that a token stands for: exchanged now, or before. @throws PROVIDER_ERROR */
export async function exchangeOnce(instance: Instance, provider: Provider, sent: OneTimeToken): Promise<PendingLink> {
  const id = pendingLinkId(sent.token);
  const exchanges = running.get(instance) ?? new Map<string, Promise<Access>>();
  running.set(instance, exchanges);
  let exchange = exchanges.get(id);
  if (!exchange) {
    exchange = findOrExchange(instance, provider, sent, id).finally(() => exchanges.delete(id));
    exchanges.set(id, exchange);
  }
  return { id, access: await exchange };
}

async function findOrExchange(
  instance: Instance,
  provider: Provider,
  { credentials, memberId }: OneTimeToken,
  id: string,
): Promise<Access> {
  const known = await findAccess(instance, id);
  if (known) return known;
  let access: Access;
  try {
    access = await asking(provider, async () => provider.exchange(credentials));
  } catch (error) {
    // Another process may have exchanged it meanwhile.
    const theirs = await findAccess(instance, id);
    if (theirs) return theirs;
    throw error;
  }
  instance.failpoint('link:exchanged');
  await keep(instance, provider, { id, memberId, access });
  instance.failpoint('link:kept');
  return access;
}

async function findAccess(instance: Instance, id: string): Promise<Access | undefined> {
  const row = await instance.database.read(async (tx) => findPendingLink(tx, id));
  return row && isFresh(row, instantNow(instance.clock)) ? accessIn(instance, row) : undefined;
}

/** Whether it may still become a connection. Once it may not, it is revoked. */
export function isFresh({ created_at: since }: Pick<PendingLinksTable, 'created_at'>, now: string): boolean {
  return instantAfter(since, LIMITS.pendingLinkMs) > now;
}

function cellOf(rowId: string) {
  return { table: 'pending_links', rowId, column: 'credentials' } as const;
}

function accessIn(instance: Instance, row: PendingLinksTable): Access | undefined {
  if (row.credentials === null) return undefined;
  const credentials = openSecret(instance, cellOf(row.id), row.credentials);
  return credentials === undefined ? undefined : { itemId: row.item_id, credentials };
}

/** Access that cannot be stored is revoked, since nothing would revoke it later. */
async function keep(
  instance: Instance,
  provider: Provider,
  { id, memberId, access }: { id: string; memberId: string; access: Access },
): Promise<void> {
  try {
    await bookkeep(instance.database, async (tx) => {
      await insertPendingLink(tx, {
        id,
        provider: provider.traits.name,
        user_id: memberId,
        item_id: access.itemId,
        credentials: await sealSecret(tx, instance, cellOf(id), access.credentials),
        connection_id: null,
        created_at: tx.now,
      });
    });
  } catch (error) {
    await revokeWithin(instance, provider, access);
    throw error;
  }
}

/** Moves the access of a connection that is being disconnected to where it waits until it is revoked. */
export async function keepForRevocation(tx: WriteTx, instance: Instance, connection: ConnectionsTable): Promise<void> {
  const { id, provider, user_id, external_id: itemId } = connection;
  if (itemId === null) return;
  const access = accessOf(instance, connection);
  await insertPendingLink(tx, {
    id,
    provider,
    user_id,
    item_id: itemId,
    // Without it nothing can be revoked, and people are told.
    credentials: access ? await sealSecret(tx, instance, cellOf(id), access.credentials) : null,
    connection_id: id,
    created_at: tx.now,
  });
}

/** Revokes the access of a connection that was just disconnected, as far as its provider can be reached now. */
export async function endAccess(instance: Instance, { id }: Pick<ConnectionsTable, 'id'>): Promise<void> {
  const row = await instance.database.read(async (tx) => findPendingLink(tx, id));
  if (row) await revokePending(instance, row);
}

/**
 * Revokes what was exchanged long ago and never became a connection, and what disconnected connections left; called at
 * the start and hourly. What cannot be revoked now stays for the next time.
 */
export async function revokeStaleLinks(instance: Instance): Promise<void> {
  const stale = await bookkeep(instance.database, async (tx) => {
    const rows = await selectPendingLinks(tx, instantAfter(tx.now, -LIMITS.pendingLinkMs));
    const unused: PendingLinksTable[] = [];
    for (const row of rows) {
      const connection = await findByItem(tx, { provider: row.provider, itemId: row.item_id });
      if (!connection || connection.status === 'disconnected') unused.push(row);
      else await deletePendingLink(tx, row.id);
    }
    return unused;
  });
  for (const row of stale) await revokePending(instance, row);
}

async function revokePending(instance: Instance, row: PendingLinksTable): Promise<void> {
  const access = accessIn(instance, row);
  const isRevoked = row.credentials !== null && (await revokeLink(instance, { provider: row.provider, access }));
  instance.failpoint('disconnect:revoked');
  const next = isRevoked ? 'forgotten' : fateOf(row, access !== undefined, instantNow(instance.clock));
  if (next === 'kept') return;
  if (!isRevoked && row.credentials !== null) {
    const { provider, item_id } = row;
    instance.logger.warn({ provider, item_id }, 'The access to a bank could not be revoked, and is given up.');
  }
  await bookkeep(instance.database, async (tx) =>
    next === 'told' ? forgetPendingAccess(tx, row.id) : deletePendingLink(tx, row.id),
  );
}

/** What becomes of access that could not be revoked: an item that nobody removes goes on costing money. */
function fateOf(row: PendingLinksTable, isReadable: boolean, now: string): 'kept' | 'told' | 'forgotten' {
  const isOver = (ms: number): boolean => instantAfter(row.created_at, ms) <= now;
  if (row.connection_id === null) return !isReadable || isOver(LIMITS.pendingLinkKeptMs) ? 'forgotten' : 'kept';
  if (isOver(LIMITS.revocationTriedMs + LIMITS.revocationToldMs)) return 'forgotten';
  const isLost = !isReadable || isOver(LIMITS.revocationTriedMs);
  return isLost && row.credentials !== null ? 'told' : 'kept';
}
