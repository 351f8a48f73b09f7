import type { ControlAction, ControlledBank } from '../providers/control-page.ts';
import { describeError } from './errors.ts';
import type { PlaidItem } from './records.ts';
import { currentRows } from './transaction-pages.ts';
import type { PlaidWorld } from './world.ts';

const LOGIN_REQUIRED = 'ITEM_LOGIN_REQUIRED';
const CALLS_DOWN = 20;

/** The items that a person can play with. */
export function plaidBanks(world: PlaidWorld): ControlledBank[] {
  return [...world.items.values()].map((item) => ({
    id: item.item_id,
    name: item.institution_name,
    state: stateOf(item),
    actions: actionsFor(world, item),
  }));
}

function stateOf(item: PlaidItem): string {
  const rows = currentRows(item);
  const login = item.isRemoved ? 'removed' : (item.error ?? 'works');
  return `${login}; ${rows.length} transactions, ${rows.filter(({ pending }) => pending).length} of them pending`;
}

function actionsFor(world: PlaidWorld, item: PlaidItem): ControlAction[] {
  const path = `items/${encodeURIComponent(item.item_id)}`;
  const error = { ...describeError(LOGIN_REQUIRED), status: 400 };
  const down = { item: item.item_id, times: CALLS_DOWN, status: 503, body: describeError('PLANNED_MAINTENANCE') };
  return [
    {
      label: 'Let a day pass',
      calls: [{ method: 'POST', path: `${path}/next-day` }, ...told(world, item, {})],
    },
    {
      label: 'Break the login',
      calls: [
        { method: 'PATCH', path, body: { error: LOGIN_REQUIRED } },
        ...told(world, item, { webhook_type: 'ITEM', webhook_code: 'ERROR', extra: { error } }),
      ],
    },
    {
      label: 'Fix the login',
      calls: [
        { method: 'PATCH', path, body: { error: null } },
        ...told(world, item, { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED' }),
      ],
    },
    { label: `Go down for ${CALLS_DOWN} calls`, calls: [{ method: 'POST', path: 'faults', body: down }] },
    { label: 'Come back up', calls: [{ method: 'DELETE', path: 'faults' }] },
  ];
}

interface WebhookTold {
  webhook_type?: string;
  webhook_code?: string;
  extra?: object;
}

/** A webhook, where there is somebody to tell. The version makes each one different from the last. */
function told(world: PlaidWorld, item: PlaidItem, webhook: WebhookTold): ControlAction['calls'] {
  if (world.webhookUrl === null) return [];
  const extra = { ...webhook.extra, simulated_version: item.version + 1 };
  return [{ method: 'POST', path: 'webhooks', body: { item_id: item.item_id, ...webhook, extra } }];
}
