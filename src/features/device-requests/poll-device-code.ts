import { instantNow } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { scopeNamed } from '../../kernel/scopes.ts';
import { bookkeep, write, type Actor, type Origin } from '../../journal/write.ts';
import { findGrantor, makeKey } from '../api-keys/index.ts';
import { handleBackground, type Instance, type RequestInfo } from '../handler.ts';
import { overError, stateOf } from './device-request-state.ts';
import { pollDeviceCode as operation } from './device-requests.contract.ts';
import { findByDeviceCode, moveOn, stampPoll, type DeviceRequestRow } from './device-requests.queries.ts';

/** A device's clock may be a little fast. */
const TOLERANCE_MS = 500;

type Polled = { status: 'authorization_pending' } | { status: 'approved'; token: string };

export const pollDeviceCode = handleBackground(operation, ({ instance, request }, { body }) =>
  poll(instance, request, sha256Hex(body.device_code)),
);

/**
 * Answers by the state of the request (contract 20.5). A request that others changed between reading and writing is
 * read again; its states only go forward, so that ends.
 * @throws INVALID_DEVICE_CODE, RATE_LIMITED; CONSUMED, EXPIRED and DENIED with `status` beside `error`
 */
async function poll(instance: Instance, request: RequestInfo, hash: string): Promise<Polled> {
  const { clock, database } = instance;
  for (;;) {
    const now = instantNow(clock);
    const row = await database.read((tx) => findByDeviceCode(tx, hash, now));
    if (!row) throw new AppError('INVALID_DEVICE_CODE', 'This device code is unknown. Start a new device request.');
    const state = stateOf(row, now);
    if (state === 'pending') {
      refuseTooFast(row, clock.now());
      if (await bookkeep(database, (tx) => stampPoll(tx, row))) return { status: 'authorization_pending' };
    } else if (state === 'approved') {
      const token = await collect(instance, request, row);
      if (token !== undefined) return { status: 'approved', token };
    } else throw refusal(state);
  }
}

/** @throws RATE_LIMITED */
function refuseTooFast({ last_polled_at: last }: DeviceRequestRow, now: number): void {
  if (last === null) return;
  const elapsed = now - Date.parse(last);
  const left = LIMITS.devicePollSeconds * 1000 - TOLERANCE_MS - elapsed;
  // A clock that was set back must not stop a device for longer than its request lives.
  if (left <= 0 || elapsed < 0) return;
  const seconds = Math.ceil(left / 1000);
  throw new AppError(
    'RATE_LIMITED',
    `Wait ${LIMITS.devicePollSeconds} s between two polls. Try again in ${seconds} s.`,
    {
      headers: { 'retry-after': String(seconds) },
    },
  );
}

function refusal(status: 'consumed' | 'expired' | 'denied'): AppError {
  const answers: Readonly<Record<typeof status, [ErrorCode, string]>> = {
    consumed: ['CONSUMED', 'The key has already been collected. If you do not have it, start a new device request.'],
    expired: ['EXPIRED', overError().message],
    denied: ['DENIED', 'The request was denied.'],
  };
  const [code, message] = answers[status];
  return new AppError(code, message, { beside: { status } });
}

/**
 * Makes the key of an approved request, if the approver may still approve, and returns it: its plaintext exists only in
 * this request. Returns undefined when there is nothing left to collect.
 */
async function collect(instance: Instance, request: RequestInfo, row: DeviceRequestRow): Promise<string | undefined> {
  const { database, clock, logger } = instance;
  const grantor = { kind: row.approver_kind, id: row.approver_id };
  const approver = await database.read((tx) => findGrantor(tx, grantor, instantNow(clock)));
  const { value } = await write(database, originOf(row, request, approver?.userId ?? null), async (tx) => {
    if (!(await findGrantor(tx, grantor, tx.now))) {
      await moveOn(tx, row.id, ['approved'], { status: 'denied', scope: null });
      return undefined;
    }
    if (!(await moveOn(tx, row.id, ['approved'], { status: 'consumed' }))) return undefined;
    const key = await makeKey(instance, tx, {
      name: row.key_name ?? row.client_name,
      scope: scopeNamed(row.scope ?? '') ?? 'read_only',
      memberId: row.user_id,
      actor_type: row.actor_type === 'agent' ? 'agent' : 'user',
      actor_name: row.actor_name,
      expires_at: row.key_expires_at,
    });
    return key;
  });
  if (value) logger.info({ device_request: row.short_id, prefix: value.prefix }, 'A device has collected its key.');
  return value?.key;
}

/** The approver makes the key, whichever device collects it. */
function originOf(row: DeviceRequestRow, request: RequestInfo, userId: string | null): Origin {
  const actor: Actor = {
    type: row.decided_by_type as Actor['type'],
    id: row.decided_by_id,
    userId,
    name: row.decided_by_name ?? '',
  };
  const { surface, id: requestId } = request;
  return { actor, surface, source: 'edit', action: 'api_key.create', reason: null, requestId };
}
