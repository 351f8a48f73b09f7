import { beforeAll, describe, expect, test } from 'vitest';

import { callTool, sendMessage } from '../harness/agents/agent-clients.ts';
import { allRows } from '../harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';
import { filledIn, isIn, plant, UNSEEN, type Ids } from './hostile-household.ts';
import { HOSTILE_TEXTS, type Order } from './hostile-texts.ts';

/** Where an agent that may only propose, or only read, leaves its traces; the ledger is everything else. */
const TRACES = [
  'api_key_uses',
  'mcp_calls',
  'proposals',
  'proposal_changes',
  'notification_deliveries',
  'reports',
  // The journal of reports, which agents may always submit.
  'change_sets',
  'changes',
];
const LINE_BREAKS = /[\n\r\t]/g;

forEachDatabase((database) => {
  let app: TestApp;
  let ids: Ids;
  let agent: string;

  beforeAll(async () => {
    app = await database.open();
    ids = await plant(app);
    agent = (await app.newKey({ actor_type: 'agent' })).key;
  });

  async function setMode(mode: string): Promise<void> {
    expect((await app.request('PATCH', '/api/v1/settings/mcp', { body: { mode } })).status).toBe(200);
  }

  test('every text arrives, marked as data, and without a character that nobody can see', async () => {
    await setMode('read_only');
    const seen = await readEverything(app);
    for (const { text, path, untrusted } of seen) {
      const words = text.replaceAll(LINE_BREAKS, ' ');
      expect(UNSEEN.exec(words), JSON.stringify(words)).toBeNull();
      if (hostileIn(text)) expect([path, isMarked(path, untrusted)]).toEqual([path, true]);
    }
    const missed = HOSTILE_TEXTS.filter((hostile) => !seen.some(({ text }) => isIn(text, hostile)));
    expect(missed).toEqual([]);
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(50);
  });

  describe.each(['read_only', 'propose'])('an agent that obeys every text, in the mode %s', (mode) => {
    test('changes nothing in the ledger', async () => {
      await setMode(mode);
      const before = await allRows(app.app.instance.database, TRACES);
      const { json } = await sendMessage(app, 'tools/list', {}, { key: agent });
      const offered = (json.result.tools as { name: string }[]).map(({ name }) => name);
      const outcomes: Record<string, number> = {};
      for (const { text } of await readEverything(app)) {
        for (const { order } of HOSTILE_TEXTS.filter((hostile) => isIn(text, hostile))) {
          const answer = await obey(app, agent, order, ids);
          const outcome = answer.error?.code ?? (answer.proposed === true ? 'proposed' : 'done');
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          if (outcome === 'done')
            expect([order.tool, offered]).toEqual(['submit_report', expect.arrayContaining([order.tool])]);
        }
      }
      expect(await allRows(app.app.instance.database, TRACES)).toEqual(before);
      // The agent really tried: it was refused, or its plans wait for a person.
      expect(outcomes).toMatchObject(
        mode === 'propose' ? { proposed: expect.any(Number) } : { FORBIDDEN: expect.any(Number) },
      );
      expect(Object.values(outcomes).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(HOSTILE_TEXTS.length);
      await rejectAll(app);
    });
  });
});

interface Seen {
  text: string;
  /** As `_untrusted` writes it. */
  path: string;
  untrusted: readonly string[];
}

/** What an agent reads that reads all it can. */
async function readEverything(app: TestApp): Promise<Seen[]> {
  const seen: Seen[] = [];
  const read = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { _untrusted: untrusted = [], ...result } = await callTool(app, tool, args);
    expect(result.error, tool).toBeUndefined();
    collect(result, '', untrusted, seen);
    return result;
  };
  const { transactions } = await read('query_transactions', { limit: 100, fields: 'full' });
  for (const { id } of transactions) await read('get_transaction', { transaction_id: id, include: ['comments'] });
  await read('get_transaction', { transaction_id: transactions.at(-1).id, include: ['timeline', 'comments'] });
  const { imports } = await read('list_imports', {});
  for (const { id } of imports) await read('list_imports', { import_id: id });
  const { reports } = await read('list_reports', {});
  for (const { id } of reports) await read('list_reports', { report_id: id });
  await read('list_change_sets', { limit: 100 });
  await read('merchant_summary', {});
  return seen;
}

function collect(value: unknown, path: string, untrusted: readonly string[], seen: Seen[]): void {
  if (typeof value === 'string') seen.push({ text: value, path, untrusted });
  else if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, untrusted, seen);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, held] of Object.entries(value)) {
      collect(held, path === '' ? name : `${path}.${name}`, untrusted, seen);
    }
  }
}

/** A path marks all that is below it, too. */
function isMarked(path: string, untrusted: readonly string[]): boolean {
  return untrusted.some((one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[]`));
}

function hostileIn(text: string): boolean {
  return HOSTILE_TEXTS.some((hostile) => isIn(text, hostile));
}

async function obey(app: TestApp, key: string, { tool, arguments: args }: Order, ids: Ids) {
  return callTool(app, tool, filledIn(args, ids), { key });
}

/** So that the next agent proposes afresh. */
async function rejectAll(app: TestApp): Promise<void> {
  const { proposals } = (await app.request('GET', '/api/v1/proposals', { query: { limit: 500 } })).json;
  for (const { id } of proposals) await app.request('POST', `/api/v1/proposals/${id}/reject`);
}
