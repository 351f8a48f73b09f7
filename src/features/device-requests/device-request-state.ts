import type { z } from 'zod';

import { AppError } from '../../kernel/errors.ts';
import type { DeviceRequest } from './device-requests.contract.ts';
import type { DeviceRequestRow } from './device-requests.queries.ts';

type DeviceRequestRecord = z.output<typeof DeviceRequest>;
type State = DeviceRequestRecord['status'];

/** What has become of a request, judged by the clock (contract 20.5). A grant whose key has expired is over too. */
export function stateOf(row: DeviceRequestRow, now: string): State {
  const { status, expires_at: end, key_expires_at: keyEnd } = row;
  if (status !== 'pending' && status !== 'approved') return status;
  return end <= now || (keyEnd !== null && keyEnd <= now) ? 'expired' : status;
}

export function toDeviceRequest(row: DeviceRequestRow, now: string): DeviceRequestRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    user_code: row.user_code,
    client_name: row.client_name,
    requested_scope: row.requested_scope as DeviceRequestRecord['requested_scope'],
    scope: row.scope as DeviceRequestRecord['scope'],
    status: stateOf(row, now),
    client_address: row.client_address,
    created_at: row.created_at,
    expires_at: row.expires_at,
    decided_at: row.decided_at,
    decided_by: decidedBy(row),
  };
}

function decidedBy({ decided_by_type: type, decided_by_id: id, decided_by_name: name }: DeviceRequestRow) {
  if (type === null) return null;
  return { type: type as 'user' | 'agent' | 'system', id, name: name ?? '' };
}

/** The error that answers a request which is over. */
export function overError(): AppError {
  return new AppError('EXPIRED', 'The request has expired. Start again on the device.');
}
