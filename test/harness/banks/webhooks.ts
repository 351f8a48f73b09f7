import { afterEach, beforeAll, beforeEach } from 'vitest';

import type { BareWriteTx } from '../../../src/db/unit-of-work.ts';
import { bookkeep } from '../../../src/journal/write.ts';
import { DAY_MS } from '../../../src/kernel/dates.ts';
import { fixedClock } from '../fixed-clock.ts';
import { addMember, type Made } from '../ledger.ts';
import { rowsOf } from '../table-rows.ts';
import type { Answer, TestApp, TestClock, TestDatabase } from '../test-app.ts';
import { addBankConnection } from './bank-connection.ts';
import { resetSimulators, useSimulators, type Simulators } from './simulators.ts';

/** The instant of the vectors of contract 35.10. */
export const VECTOR_TIME = '2025-10-09T08:53:20.000Z';

export interface SentWebhook {
  body: string | Buffer;
  headers: Record<string, string>;
}

type PlaidWebhook = Parameters<Simulators['plaid']['control']['signWebhook']>[0];

/** A service whose providers are simulators, for tests of the webhooks that they send. Each test finds it without events. */
export interface WebhookBench {
  app: TestApp;
  ana: Made;
  clock: TestClock;
  simulators: Simulators;
  post: (provider: string, sent: SentWebhook, from?: string) => Promise<Answer>;
  sendPlaid: (webhook: PlaidWebhook) => Promise<Answer>;
  /** A webhook about the item itself. */
  itemWebhook: (itemId: string, code: string, extra?: Record<string, unknown>) => Promise<Answer>;
  /** An item of the simulator with its connection. */
  plaidItem: (columns?: Parameters<typeof addBankConnection>[2]) => Promise<Made & { itemId: string }>;
  /** Moves the clocks of both sides. */
  pass: (ms: number) => void;
  // oxlint-disable-next-line typescript/no-explicit-any -- as an answer's JSON
  events: () => Promise<any[]>;
  requests: () => Promise<Record<string, unknown>[]>;
  connection: (id: string) => Promise<Record<string, unknown> | undefined>;
  bookkeep: <T>(fn: (tx: BareWriteTx) => Promise<T>) => Promise<T>;
}

/** Call it once per database; what it returns is ready when the first test runs. */
export function webhookBench(database: TestDatabase): WebhookBench {
  const simulators = useSimulators();
  const clock = fixedClock(VECTOR_TIME);
  let count = 0;
  const bench: WebhookBench = {
    app: undefined as unknown as TestApp,
    ana: undefined as unknown as Made,
    clock,
    simulators,
    post: (provider, { body, headers }, from = '127.0.0.1') =>
      bench.app.request('POST', `/webhooks/${provider}`, { key: null, from, body, headers }),
    sendPlaid: (webhook) => bench.post('plaid', simulators.plaid.control.signWebhook(webhook)),
    itemWebhook: (itemId, code, extra = {}) =>
      bench.sendPlaid({ item_id: itemId, webhook_type: 'ITEM', webhook_code: code, extra }),
    async plaidItem(columns = {}) {
      count += 1;
      const { item_id: itemId, access_token } = simulators.plaid.control.addItem({ item_id: `item-${count}` });
      const credentials = JSON.stringify({ access_token });
      return { itemId, ...(await addBankConnection(bench.app, bench.ana, { itemId, credentials, ...columns })) };
    },
    pass(ms) {
      clock.advance(ms);
      simulators.plaid.control.setClock({ advance_seconds: ms / 1_000 });
    },
    events: async () => (await bench.app.request('GET', '/api/v1/webhook-events')).json.webhook_events,
    requests: () => rowsOf(bench.app.app.instance.database, 'select * from sync_turns where requested_at is not null'),
    connection: async (id) =>
      (await rowsOf(bench.app.app.instance.database, `select * from connections where id = '${id}'`))[0],
    bookkeep: (fn) => bookkeep(bench.app.app.instance.database, fn),
  };
  beforeAll(async () => {
    bench.app = await database.open({ env: { ...simulators.env }, clock });
    bench.ana = await addMember(bench.app, 'Ana');
  });
  beforeEach(() => resetSimulators(simulators, new Date(clock.now()).toISOString()));
  afterEach(async () => {
    clock.advance(2 * DAY_MS);
    await bench.bookkeep(async (tx) => {
      for (const table of ['webhook_events', 'webhook_counters', 'sync_turns'] as const) {
        await tx.q.deleteFrom(table).execute();
      }
    });
  });
  return bench;
}
