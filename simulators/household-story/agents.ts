import { categoryOfMerchant } from '../llm/merchant-categories.ts';
import type { DemoModel } from '../demo-model.ts';
import type { Actor, Stage } from './stage.ts';

/** What works for the household: an agent at Ada's desk, workflows, and the messages that they send. */

const AGENT = 'claude-code/2.1.0';
const PROTOCOL = '2025-06-18';

export async function connectAnAgent(stage: Stage): Promise<string> {
  const { ada, at } = stage;
  at(21, '19:20');
  const wanted = { name: 'Claude at Ada’s desk', scope: 'propose', actor_type: 'agent', actor_name: 'Claude' };
  const { key } = await ada.ask('POST', 'api-keys', wanted);
  const call = toolsFor(stage, key);
  await call('get_overview', {});
  await call('list_rules', {});
  await call('merchant_summary', { limit: 10 });
  await call('query_transactions', { search: 'parking', limit: 20 });
  await call('create_rules', {
    reason: 'You put every parking charge into Parking by hand',
    rules: [
      {
        name: 'Parking',
        condition: { or: ['parking kitty', 'smartpark'].map((value) => ({ field: 'name', op: 'contains', value })) },
        actions: [{ type: 'set_category', category_slug: 'transportation_parking' }],
      },
    ],
  });
  await call('delete_tag', { tag: 'no-such-tag', reason: 'It is not used' });
  at(20, '08:05');
  const { proposals } = await ada.ask('GET', 'proposals');
  for (const { id } of proposals) await ada.ask('POST', `proposals/${id}/approve`, {});
  return key;
}

export async function reportByAgent(stage: Stage, key: string): Promise<void> {
  stage.at(3, '18:32');
  const call = toolsFor(stage, key);
  await call('list_series', {});
  await call('submit_report', {
    title: 'Two subscriptions rose in price this autumn',
    body: '- Netflix went up in October.\n- Deutschlandticket went up in August.\n\nNothing else changed by more than a dollar. The list is under [Recurring](/series).',
    kind: 'alert',
    priority: 'warning',
  });
}

/** Calls tools as a client of the Model Context Protocol does. */
function toolsFor({ send }: Stage, key: string): (name: string, input: object) => Promise<unknown> {
  let count = 0;
  return async (name, input) => {
    const message = {
      jsonrpc: '2.0',
      id: (count += 1),
      method: 'tools/call',
      params: { name, arguments: input },
    };
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL,
      'user-agent': AGENT,
    };
    return send('POST', '/mcp', headers, JSON.stringify(message));
  };
}

export async function sendToThePhone(stage: Stage, url: string): Promise<void> {
  const { ada, at } = stage;
  at(12, '21:00');
  await ada.ask('PUT', 'settings/notifications', { allow_private_networks: true });
  const channel = { name: 'Ada’s phone', format: 'ntfy', url, quiet_hours_start: '22:00', quiet_hours_end: '06:00' };
  const { id } = await ada.ask('POST', 'notification-channels', channel);
  await ada.ask('POST', `notification-channels/${id}/test`, {});
}

export async function runWorkflows(stage: Stage, model: DemoModel): Promise<void> {
  const { ada, ben, at } = stage;
  at(8, '07:00');
  await runOnce(stage, ada, 'weekly-money-digest');
  at(8, '12:10');
  await ben.ask('POST', 'reports/read-all', {});
  at(6, '07:00');
  model.fail({ error: 'context_too_long', message: 'The prompt has 9,412 tokens; this model was started with 8,192.' });
  await runOnce(stage, ada, 'monthly-close');
}

const PROPOSED_MAX = 8;

/** What Claude would file waits for a person. */
export async function proposeByAgent(stage: Stage, key: string): Promise<void> {
  const { ada, at } = stage;
  at(0, '21:30');
  const [categories, { transactions }]: [{ slug: string }[], { transactions: Unfiled[] }] = [
    await ada.ask('GET', 'categories'),
    await ada.ask('GET', 'transactions?uncategorized=true&pending=false&limit=200'),
  ];
  const slugs = new Set(categories.map(({ slug }) => slug));
  const operations = transactions
    .map(({ id, name }) => ({ transaction_id: id, category_slug: categoryOfMerchant(name, slugs) }))
    .filter(({ category_slug }) => category_slug !== undefined)
    .slice(0, PROPOSED_MAX);
  if (operations.length === 0) return;
  const call = toolsFor(stage, key);
  await call('query_transactions', { uncategorized: true, limit: 100 });
  await call('update_transactions', { operations, reason: 'Their merchants say what they are' });
}

interface Unfiled {
  id: string;
  name: string;
}

async function runOnce(stage: Stage, who: Actor, preset: string): Promise<void> {
  await who.ask('POST', `workflow-presets/${preset}/enable`, {});
  await who.ask('POST', `workflows/${preset}/run`, {});
  await stage.work();
}
