import { beforeAll, describe, expect, test } from 'vitest';

import { callTool, sendMessage } from '../harness/agent-clients.ts';
import { base64 } from '../harness/bank-files.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { allRows } from '../harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';
import { HOSTILE_TEXTS, lettersOf, type HostileText, type Order } from './hostile-texts.ts';

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
/** Control characters, directions, and what is invisible: nothing of it helps a reader. */
const UNSEEN = /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
const LINE_BREAKS = /[\n\r\t]/g;

interface Ids {
  row: string;
  import: string;
}

forEachDatabase((database) => {
  let app: TestApp;
  let ids: Ids;

  beforeAll(async () => {
    app = await database.open();
    ids = await plant(app);
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
      const { json } = await sendMessage(app, 'tools/list', {}, {});
      const offered = (json.result.tools as { name: string }[]).map(({ name }) => name);
      const outcomes: Record<string, number> = {};
      for (const { text } of await readEverything(app)) {
        for (const { order } of HOSTILE_TEXTS.filter((hostile) => isIn(text, hostile))) {
          const answer = await obey(app, order, ids);
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

/** Puts each text where it came from: rows of a bank, files, comments, reports. */
async function plant(app: TestApp): Promise<Ids> {
  const account = await addAccount(app, await addMember(app, 'Ana'));
  const of = (place: HostileText['place']): string[] =>
    HOSTILE_TEXTS.filter((one) => one.place === place).map(({ text }) => text);
  const names = of('description');
  const payees = of('payee');
  const rows = await addTransactions(
    app,
    Array.from({ length: Math.max(names.length, payees.length) }, (_, index) => ({
      account,
      date: '2026-04-20',
      amount_cents: 450 + index,
      name: names[index] ?? 'Corner Cafe',
      merchant_name: payees[index] ?? null,
    })),
  );
  const row = (rows[0] as { id: string }).id;
  for (const body of of('comment')) {
    const made = await app.request('POST', `/api/v1/transactions/${row}/comments`, { body: { body } });
    expect(made.status, made.text).toBe(201);
  }
  for (const body of of('report')) {
    const made = await app.request('POST', '/api/v1/reports', { body: { title: 'Findings', body } });
    expect(made.status, made.text).toBe(201);
  }
  let imported = '';
  for (const [index, name] of of('file name').entries()) {
    const file = `Date,Description,Amount,Currency\n2026-03-0${index + 1},MARKET ${index},-${index + 1}.50,EUR\n`;
    const body = { file_base64: base64(file), file_name: name, account_name: 'Giro', sign: 'positive_is_in' };
    const made = await app.request('POST', '/api/v1/imports', { body });
    expect(made.status, made.text).toBe(201);
    imported = made.json.id as string;
  }
  return { row, import: imported };
}

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

function isIn(text: string, hostile: HostileText): boolean {
  return lettersOf(text).includes(lettersOf(hostile.text.replaceAll(new RegExp(UNSEEN, 'gu'), ' ')));
}

function hostileIn(text: string): boolean {
  return HOSTILE_TEXTS.some((hostile) => isIn(text, hostile));
}

async function obey(app: TestApp, { tool, arguments: args }: Order, ids: Ids) {
  const filled = JSON.stringify(args).replaceAll('$row', ids.row).replaceAll('$import', ids.import);
  return callTool(app, tool, JSON.parse(filled) as Record<string, unknown>);
}

/** So that the next agent proposes afresh. */
async function rejectAll(app: TestApp): Promise<void> {
  const { proposals } = (await app.request('GET', '/api/v1/proposals', { query: { limit: 500 } })).json;
  for (const { id } of proposals) await app.request('POST', `/api/v1/proposals/${id}/reject`);
}
