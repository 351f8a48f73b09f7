import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleRead, handleWrite, type Principal, type WriteContext } from '../handler.ts';
import { actorTypeOf, checkExpiry, getGrantor } from '../api-keys/index.ts';
import { resolveOwner } from '../users/index.ts';
import { overError, stateOf, toDeviceRequest } from './device-request-state.ts';
import * as contract from './device-requests.contract.ts';
import { findByUserCode, moveOn, selectPending, type DeviceRequestRow } from './device-requests.queries.ts';

export const listDeviceRequests = handleRead(contract.listDeviceRequests, async ({ instance, tx }) => {
  const now = instantNow(instance.clock);
  return (await selectPending(tx, now)).map((row) => toDeviceRequest(row, now));
});

export const getDeviceRequest = handleRead(contract.getDeviceRequest, async ({ instance, tx }, { params }) => {
  const now = instantNow(instance.clock);
  return toDeviceRequest(await getRow(tx, params.user_code, now), now);
});

export const approveDeviceRequest = handleWrite(
  contract.approveDeviceRequest,
  'device_request.approve',
  async (context, { params, body }) => {
    const { tx, principal } = context;
    const row = await getRow(tx, params.user_code, tx.now);
    checkExpiry(tx.now, body.expires_at);
    const grantor = await getGrantor(tx, principal);
    const actorType = actorTypeOf(body);
    return decide(context, row, ['pending'], {
      status: 'approved',
      scope: body.scope,
      key_name: body.name ?? `Device: ${row.client_name}`,
      user_id: await resolveOwner(tx, body.user_id, grantor.memberId),
      key_expires_at: body.expires_at,
      actor_type: actorType,
      actor_name: body.actor_name === undefined && actorType === 'agent' ? row.client_name : (body.actor_name ?? null),
    });
  },
);

export const denyDeviceRequest = handleWrite(
  contract.denyDeviceRequest,
  'device_request.deny',
  async (context, { params }) => {
    const row = await getRow(context.tx, params.user_code, context.tx.now);
    return decide(context, row, ['pending', 'approved'], { status: 'denied', scope: null });
  },
);

/** @throws NOT_FOUND */
async function getRow(tx: ReadTx, text: string, now: string): Promise<DeviceRequestRow> {
  const row = await findByUserCode(tx, text, now);
  if (!row) throw notFound('device request');
  return row;
}

const CONFLICTS = {
  pending: 'Someone else has just decided this request. Load it again to see what they decided.',
  approved: 'The request has already been approved.',
  denied: 'The request has already been denied. To ask again, start again on the device.',
  consumed: 'The device has already collected its key. To take its access away, revoke the key.',
} as const;

/** @throws EXPIRED; CONFLICT if the request is in another state */
async function decide(
  { instance, tx, principal }: WriteContext,
  row: DeviceRequestRow,
  from: readonly DeviceRequestRow['status'][],
  decision: Partial<DeviceRequestRow>,
) {
  const patch = { ...decision, ...decider(principal), decided_at: tx.now };
  const state = stateOf(row, tx.now);
  if (state === 'expired') throw overError();
  if (!(await moveOn(tx, row.id, from, patch))) throw new AppError('CONFLICT', CONFLICTS[state]);
  const by = patch.decided_by_id;
  instance.logger.info({ device_request: row.short_id, status: decision.status, by }, 'A device request was decided.');
  return toDeviceRequest({ ...row, ...patch }, tx.now);
}

/** Who decides, as the request shows it and as the collection looks it up again. */
function decider(principal: Principal | null) {
  if (principal === null) throw new AppError('FORBIDDEN', 'Deciding needs an API key or a session.');
  const { kind, id, actor } = principal;
  return {
    approver_kind: kind === 'session' ? ('session' as const) : ('key' as const),
    approver_id: id,
    decided_by_type: actor.type,
    decided_by_id: actor.id,
    decided_by_name: actor.name,
  };
}
