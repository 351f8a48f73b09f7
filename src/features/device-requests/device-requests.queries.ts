import type { DeviceRequestsTable } from '../../db/schema.ts';
import { idColumn, shortIdFor } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { HOUR_MS, MINUTE_MS, instantAfter } from '../../kernel/dates.ts';
import { randomUserCode } from '../../kernel/ids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Random } from '../../kernel/random.ts';

export type DeviceRequestRow = DeviceRequestsTable;

export interface NewDeviceRequest {
  deviceCodeHash: string;
  clientName: string;
  clientAddress: string;
  requestedScope: string;
}

export async function insertDeviceRequest(
  tx: BareWriteTx,
  random: Random,
  wanted: NewDeviceRequest,
): Promise<DeviceRequestRow> {
  const row: DeviceRequestRow = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'device_requests'),
    device_code_hash: wanted.deviceCodeHash,
    user_code: await freeUserCode(tx, random),
    client_name: wanted.clientName,
    client_address: wanted.clientAddress,
    requested_scope: wanted.requestedScope,
    status: 'pending',
    scope: null,
    key_name: null,
    user_id: null,
    key_expires_at: null,
    actor_type: null,
    actor_name: null,
    approver_kind: null,
    approver_id: null,
    decided_by_type: null,
    decided_by_id: null,
    decided_by_name: null,
    decided_at: null,
    last_polled_at: null,
    created_at: tx.now,
    expires_at: instantAfter(tx.now, LIMITS.deviceRequestMinutes * MINUTE_MS),
  };
  await tx.q.insertInto('device_requests').values(row).execute();
  return row;
}

/** A user code that no request has. Writers take turns, so a free one stays free. */
async function freeUserCode(tx: BareWriteTx, random: Random): Promise<string> {
  for (;;) {
    const code = randomUserCode(random);
    const taken = await tx.q
      .selectFrom('device_requests')
      .select('id')
      .where('user_code', '=', code)
      .executeTakeFirst();
    if (!taken) return code;
  }
}

/** The requests that wait for a decision or for their device, soonest end first. */
export async function selectLive(tx: BareWriteTx): Promise<Pick<DeviceRequestRow, 'client_address' | 'expires_at'>[]> {
  return tx.q
    .selectFrom('device_requests')
    .select(['client_address', 'expires_at'])
    .where('status', 'in', ['pending', 'approved'])
    .where('expires_at', '>', tx.now)
    .orderBy('expires_at')
    .execute();
}

/** The requests that wait for a decision, newest first. */
export async function selectPending(tx: ReadTx, now: string): Promise<DeviceRequestRow[]> {
  return tx.q
    .selectFrom('device_requests')
    .selectAll()
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function findByDeviceCode(tx: ReadTx, hash: string, now: string): Promise<DeviceRequestRow | undefined> {
  return kept(tx, now).where('device_code_hash', '=', hash).executeTakeFirst();
}

/** The request with this user code as a person types it, otherwise with this id. */
export async function findByUserCode(tx: ReadTx, text: string, now: string): Promise<DeviceRequestRow | undefined> {
  const letters = text.toUpperCase().replace(/[\s-]/g, '');
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  const byCode = await kept(tx, now).where('user_code', '=', code).executeTakeFirst();
  if (byCode) return byCode;
  const column = idColumn(text);
  return column && kept(tx, now).where(column, '=', text).executeTakeFirst();
}

/** Requests that ended long ago count as gone, whether or not they have been purged. */
function kept(tx: ReadTx, now: string) {
  return tx.q.selectFrom('device_requests').selectAll().where('expires_at', '>', longAgo(now));
}

function longAgo(now: string): string {
  return instantAfter(now, -LIMITS.deviceRequestKeptHours * HOUR_MS);
}

/** Changes a request that is still in one of these states, and not over. False if it is not. */
export async function moveOn(
  tx: BareWriteTx,
  id: string,
  from: readonly DeviceRequestRow['status'][],
  patch: Partial<DeviceRequestRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.q
    .updateTable('device_requests')
    .set(patch)
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

/** Notes a poll, unless the request has been polled or decided since it was read. */
export async function stampPoll(tx: BareWriteTx, row: DeviceRequestRow): Promise<boolean> {
  const { last_polled_at: before } = row;
  const { numUpdatedRows } = await tx.q
    .updateTable('device_requests')
    .set({ last_polled_at: tx.now })
    .where('id', '=', row.id)
    .where('status', '=', 'pending')
    .where('last_polled_at', before === null ? 'is' : '=', before)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}
