import type { ControlAction, ControlledBank } from '../providers/control-page.ts';
import type { Enrollment } from './records.ts';
import type { TellerWorld } from './world.ts';

const CALLS_DOWN = 20;
const ENDING = 'credentials_invalid';

/** The enrollments that a person can play with. */
export function tellerBanks(world: TellerWorld): ControlledBank[] {
  return [...world.enrollments.values()].map((enrollment) => ({
    id: enrollment.enrollment_id,
    name: enrollment.institution.name,
    state: stateOf(enrollment),
    actions: actionsFor(world, enrollment),
  }));
}

function stateOf({ isRevoked, disconnected, transactions }: Enrollment): string {
  const rows = [...transactions.values()];
  const login = isRevoked ? 'revoked' : disconnected === null ? 'works' : `disconnected ${disconnected}`;
  return `${login}; ${rows.length} transactions, ${rows.filter(({ status }) => status === 'pending').length} of them pending`;
}

function actionsFor(world: TellerWorld, { enrollment_id: id }: Enrollment): ControlAction[] {
  const path = `enrollments/${encodeURIComponent(id)}`;
  const down = { item: id, times: CALLS_DOWN, status: 502, body: { error: { code: 'bad_gateway', message: '' } } };
  const payload = { reason: `disconnected.${ENDING}` };
  return [
    {
      label: 'Let a day pass',
      calls: [{ method: 'POST', path: `${path}/next-day` }, ...told(world, id, { type: 'transactions.processed' })],
    },
    {
      label: 'Break the login',
      calls: [
        { method: 'PATCH', path, body: { disconnected: ENDING } },
        ...told(world, id, { type: 'enrollment.disconnected', payload }),
      ],
    },
    { label: 'Fix the login', calls: [{ method: 'PATCH', path, body: { disconnected: null } }] },
    { label: `Go down for ${CALLS_DOWN} calls`, calls: [{ method: 'POST', path: 'faults', body: down }] },
    { label: 'Come back up', calls: [{ method: 'DELETE', path: 'faults' }] },
  ];
}

/** A webhook, where there is somebody to tell. */
function told({ webhookUrl }: TellerWorld, id: string, webhook: object): ControlAction['calls'] {
  return webhookUrl === null ? [] : [{ method: 'POST', path: 'webhooks', body: { enrollment_id: id, ...webhook } }];
}
