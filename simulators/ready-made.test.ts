import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSimulators, type Simulators } from '../test/harness/banks/simulators.ts';
import type { PlaidAccount, PlaidFacts } from './plaid/records.ts';
import { householdWorld } from './providers/household-banks.ts';
import type { TellerAccount, TellerTransaction } from './teller/records.ts';

const NOW = '2026-04-26T06:00:00.000Z';
let simulators: Simulators;

beforeAll(async () => {
  simulators = await startSimulators();
});
afterAll(async () => {
  await simulators.plaid.close();
  await simulators.teller.close();
});

interface Row {
  account_id: string;
  date: string;
  name: string;
  amount: number;
  pending: boolean;
}

interface PlaidState {
  items: { institution_id: string; accounts: { account_id: string; type: string }[]; transactions: Row[] }[];
}

test('the household has two banks with five accounts, two years, and all that makes matching hard', () => {
  const { plaid } = simulators;
  plaid.control.reset({ world: 'household', now: NOW });
  const { items } = plaid.control.state() as PlaidState;
  expect(items.map(({ accounts }) => accounts.length)).toEqual([3, 2]);
  const rows = items.flatMap(({ transactions }) => transactions);
  const dates = rows.map(({ date }) => date).sort();
  expect([dates[0]?.slice(0, 7), dates.at(-1)]).toEqual(['2024-04', '2026-04-26']);
  expect(rows.length / 24).toBeGreaterThan(90);
  expect(rows.length / 24).toBeLessThan(130);
  expect(rows.filter(({ pending }) => pending).length).toBeGreaterThan(2);
  const checking = items[0]?.accounts[0]?.account_id;
  const card = items[0]?.accounts.find(({ type }) => type === 'credit')?.account_id;
  const ofCard = rows.filter(({ account_id }) => account_id === card);
  const payments = ofCard.filter(({ name }) => /payment/i.test(name));
  expect(payments.length).toBeGreaterThan(20);
  for (const { amount, date } of payments) {
    expect(rows.some((row) => row.account_id === checking && row.amount === -amount && row.date === date)).toBe(true);
  }
  expect(ofCard.filter(({ amount, name }) => amount < 0 && !/payment/i.test(name)).length).toBeGreaterThan(3);
  const keys = rows.map(({ account_id, date, name, amount }) => [account_id, date, name, amount].join());
  expect(new Set(keys).size).toBeLessThan(keys.length);
});

test('both providers tell of the same household, each in its own sign', () => {
  const { plaid, teller } = simulators;
  plaid.control.reset({ world: 'household', now: NOW });
  teller.control.reset({ world: 'household', now: NOW });
  const { items } = plaid.control.state() as PlaidState;
  const { enrollments } = teller.control.state() as {
    enrollments: {
      accounts: { id: string; type: string }[];
      transactions: (Omit<Row, 'amount'> & { amount: string })[];
    }[];
  };
  for (const [index, { accounts, transactions }] of enrollments.entries()) {
    const credit = accounts.find(({ type }) => type === 'credit')?.id;
    const amounts = transactions.map(({ amount, account_id }) => Number(amount) * (account_id === credit ? 1 : -1));
    expect(amounts).toEqual(items[index]?.transactions.map(({ amount }) => (amount === 0 ? -0 : amount)));
  }
});

test('beside it lie files of three years, which name neither account nor currency', () => {
  const { banks, files } = householdWorld(1, '2026-04-26');
  expect(files.map(({ name }) => name)).toEqual(['joint-checking.csv', 'credit-card.csv']);
  for (const { text, mask } of files) {
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(head).toBe('Transaction Date,Description,Amount');
    expect(lines.at(-1)).toMatch(/^0[45]\/\d\d\/2023,/);
    expect(text).not.toContain(mask);
    const account = banks[0]?.accounts.find((one) => one.mask === mask);
    const posted = account?.rows.filter(({ pending }) => !pending) ?? [];
    const amounts = posted.map(({ amount_cents: cents }) => (-cents / 100).toFixed(2)).toReversed();
    expect(lines.slice(0, amounts.length).map((line) => line.split(',').at(-1))).toEqual(amounts);
    const texts = new Set(lines.map((line) => line.split('"')[1]));
    expect(posted.some(({ name }) => texts.has(name))).toBe(false);
  }
});

test('webhooks go out as often as asked, the same bytes each time, and never beyond loopback', async () => {
  const { plaid, teller } = simulators;
  const received: string[] = [];
  const receiver = createServer((asked: IncomingMessage, answer) => {
    asked.on('data', (chunk: Buffer) =>
      received.push(String(asked.headers['plaid-verification'] ?? '') + String(chunk)),
    );
    asked.on('end', () => answer.writeHead(202).end('heard'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/plaid`;
    plaid.control.reset({ now: NOW, webhook_url: url });
    const { item_id } = plaid.control.addItem();
    const { deliveries } = await plaid.control.sendWebhook({ item_id, times: 3 });
    expect(deliveries.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 3 }, () => [202, 'heard']),
    );
    expect(new Set(received).size).toBe(1);
    teller.control.reset({ now: NOW });
    expect((await teller.control.sendWebhook({ type: 'webhook.test', url })).deliveries).toMatchObject([
      { status: 202 },
    ]);
    await expect(teller.control.sendWebhook({ url: 'https://home.example/' })).rejects.toThrow('loopback');
    await expect(teller.control.sendWebhook({})).rejects.toThrow('no address');
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

test('a day goes by: pending rows are posted, new ones come, and balances move by what was posted', () => {
  const { plaid, teller } = simulators;
  plaid.control.reset({ world: 'household', now: NOW });
  teller.control.reset({ world: 'household', now: NOW });
  for (const bank of [plaidBank(), tellerBank()]) {
    bank.nextDay();
    const before = bank.accounts();
    const { posted, pending } = bank.nextDay();
    expect([posted.length, pending.length]).toEqual([3, 3]);
    const after = bank.accounts();
    const moved = after.reduce((sum, { current }, index) => sum + current - (before[index]?.current ?? 0), 0);
    const rows = bank.rows().filter(({ id }) => posted.includes(id));
    expect(rows.reduce((sum, { effect }) => sum + effect, 0)).toBeCloseTo(moved, 6);
    expect(bank.rows().filter(({ isPending }) => isPending)).toHaveLength(3);
  }
});

interface Bank {
  nextDay(): { posted: string[]; pending: string[] };
  accounts(): { current: number }[];
  /** `effect`: what a row does to the balance of its account. */
  rows(): { id: string; isPending: boolean; effect: number }[];
}

function plaidBank(): Bank {
  const { control } = simulators.plaid;
  const item = () =>
    (control.state() as { items: { accounts: PlaidAccount[]; transactions: PlaidFacts[] }[] }).items[0] ?? {
      accounts: [],
      transactions: [],
    };
  const owed = new Set(item().accounts.flatMap((one) => (one.type === 'credit' ? one.account_id : [])));
  return {
    nextDay: () => control.nextDay('item-sim-1'),
    accounts: () => item().accounts.map(({ balances }) => ({ current: balances.current ?? 0 })),
    rows: () =>
      item().transactions.map(({ transaction_id: id, account_id, amount, pending: isPending }) => ({
        id,
        isPending,
        effect: owed.has(account_id) ? amount : -amount,
      })),
  };
}

function tellerBank(): Bank {
  const { control } = simulators.teller;
  const enrollment = () =>
    (control.state() as { enrollments: { accounts: TellerAccount[]; transactions: TellerTransaction[] }[] })
      .enrollments[0] ?? { accounts: [], transactions: [] };
  return {
    nextDay: () => control.nextDay('enr_sim_1'),
    accounts: () => enrollment().accounts.map(({ balances }) => ({ current: Number(balances.ledger) })),
    rows: () =>
      enrollment().transactions.map(({ id, amount, status }) => ({
        id,
        isPending: status === 'pending',
        effect: Number(amount),
      })),
  };
}
