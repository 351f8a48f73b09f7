import { expect, test } from 'vitest';

import { useSimulators } from '../../../../test/harness/banks/simulators.ts';
import { addMember, type Made } from '../../../../test/harness/ledger.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import { forEachDatabase, TEST_START, type TestApp } from '../../../../test/harness/test-app.ts';

const simulators = useSimulators();

interface Shown {
  id: string;
  account_name: string;
  name: string;
  amount: string;
  date: string;
  pending: boolean;
}

async function link(app: TestApp, ana: Made, provider: string, credentials: object): Promise<Made> {
  const body = { provider, user_id: ana.short_id, credentials };
  const made = await app.request('POST', '/api/v1/connections', { body });
  expect([made.status, made.json.error]).toEqual([201, undefined]);
  return made.json;
}

const shown = async (app: TestApp): Promise<Shown[]> =>
  (await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } })).json.transactions;

forEachDatabase((database) => {
  test('a bank of Plaid: pages, a pending purchase that is posted, and everything again', async () => {
    const { control } = simulators.plaid;
    const app = await database.open({ env: simulators.env });
    const ana = await addMember(app, 'Ana');
    const item = control.addItem();
    const connection = await link(app, ana, 'plaid', {
      public_token: item.public_token,
      institution_id: 'ins_109508',
      institution_name: 'First Platypus Bank',
    });
    const { transaction_ids: made } = control.changeTransactions(item.item_id, {
      added: [
        { amount: 4.33, name: 'COFFEE', pending: true, date: '2026-04-24' },
        { amount: -1_500, name: 'SALARY', date: '2026-04-01' },
      ],
    });
    const first = await runASync(app, connection.id, { trigger: 'initial' });
    expect(first).toMatchObject({ status: 'success', added_count: 2, warning_count: 0 });
    const [coffee] = (await shown(app)).filter(({ pending }) => pending);
    control.postPending(item.item_id, {
      transaction_id: made[0] as string,
      changes: { amount: 5 },
      order: 'removed_first',
    });
    // The bank removes it first, and delivers the posted version later.
    expect(await runASync(app, connection.id)).toMatchObject({ added_count: 0, modified_count: 0, removed_count: 1 });
    expect(await runASync(app, connection.id)).toMatchObject({ added_count: 0, modified_count: 1, removed_count: 0 });
    const after = await shown(app);
    expect(after).toHaveLength(2);
    expect(after.find(({ id }) => id === coffee?.id)).toMatchObject({ amount: '5.00', pending: false });
    const again = await runASync(app, connection.id, { isFull: true });
    expect(again).toMatchObject({ added_count: 0, modified_count: 0, removed_count: 0, unchanged_count: 2 });
    expect(await shown(app)).toEqual(after);
    expect(JSON.parse(again.accounts)).toHaveLength(item.accounts.length);
  });

  test('a pending purchase that a bank keeps beside its posted version is one question, and one row once it is accepted', async () => {
    const { control } = simulators.plaid;
    const app = await database.open({ env: simulators.env });
    const ana = await addMember(app, 'Ana');
    const { item_id: itemId, public_token } = control.addItem();
    const connection = await link(app, ana, 'plaid', { public_token });
    expect(connection).toMatchObject({ institution_name: 'First Platypus Bank', institution_id: 'ins_109508' });
    const streaming = { name: 'NETFLIX.COM', amount: 14.17 };
    const { transaction_ids: pending } = control.changeTransactions(itemId, {
      added: [{ ...streaming, pending: true, date: '2026-04-20' }],
    });
    await runASync(app, connection.id);
    control.changeTransactions(itemId, { added: [{ ...streaming, date: '2026-04-22' }] });
    expect(await runASync(app, connection.id)).toMatchObject({ added_count: 1 });
    const { suggestions } = (await app.request('GET', '/api/v1/sync/suggestions')).json;
    expect([(await shown(app)).length, suggestions.map(({ kind }: { kind: string }) => kind)]).toEqual([
      2,
      ['pending_posted'],
    ]);
    const accepted = await app.request('POST', `/api/v1/sync/suggestions/${suggestions[0].id}/accept`);
    expect(accepted.status).toBe(200);
    const one = [{ name: 'NETFLIX.COM', amount: '14.17', pending: false, date: '2026-04-22' }];
    expect(await shown(app)).toMatchObject(one);
    control.changeTransactions(itemId, { removed: pending });
    await runASync(app, connection.id);
    expect(await shown(app)).toMatchObject(one);
  });

  test('a bank of Plaid: what it removed while the position was lost is gone, also the last row of an account', async () => {
    const { control } = simulators.plaid;
    const app = await database.open({ env: simulators.env });
    const ana = await addMember(app, 'Ana');
    const { item_id: itemId, public_token, accounts } = control.addItem();
    const bank = { institution_id: 'ins_109508', institution_name: 'First Platypus Bank' };
    const connection = await link(app, ana, 'plaid', { public_token, ...bank });
    const [one, other] = accounts.map(({ account_id }) => account_id);
    const { transaction_ids: made } = control.changeTransactions(itemId, {
      added: [
        { account_id: one, name: 'RENT', date: '2026-04-01' },
        { account_id: one, name: 'BAKERY', date: '2026-04-20' },
        { account_id: other, name: 'INTEREST', date: '2026-04-21' },
        // The answer says nothing of the time before its first row.
        { account_id: other, name: 'OLD', date: '2026-03-01' },
      ],
    });
    await runASync(app, connection.id, { trigger: 'initial' });
    control.changeTransactions(itemId, { removed: made.slice(1) });
    const lost = { error_type: 'INVALID_REQUEST', error_code: 'INVALID_FIELD', error_message: 'unknown cursor' };
    control.addFault({ path: '/transactions/sync', status: 400, body: lost });
    expect(await runASync(app, connection.id)).toMatchObject({ removed_count: 2, warning_count: 1 });
    expect((await shown(app)).map(({ name }) => name)).toEqual(['RENT', 'OLD']);
  });

  test('a bank of Plaid: a row that was authorized at the end of time keeps no other from being recognised', async () => {
    const { control } = simulators.plaid;
    const app = await database.open({ env: simulators.env });
    const ana = await addMember(app, 'Ana');
    const { item_id: itemId, public_token } = control.addItem();
    const bank = { institution_id: 'ins_109508', institution_name: 'First Platypus Bank' };
    const connection = await link(app, ana, 'plaid', { public_token, ...bank });
    const bakery = { amount: 6.2, name: 'BAKERY', date: '2026-04-20' };
    const { transaction_ids: removed } = control.changeTransactions(itemId, { added: [bakery] });
    await runASync(app, connection.id, { trigger: 'initial' });
    control.changeTransactions(itemId, { removed });
    expect(await runASync(app, connection.id)).toMatchObject({ removed_count: 1 });
    // The bank brings it back under another id.
    const odd = { amount: 7, name: 'BOOKS', date: '2026-04-21', authorized_date: '9999-12-31' };
    control.changeTransactions(itemId, { added: [bakery, odd] });
    expect(await runASync(app, connection.id)).toMatchObject({ added_count: 1, modified_count: 1 });
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    expect(transactions).toMatchObject([{ name: 'BOOKS', authorized_date: null }, { name: 'BAKERY' }]);
  });

  test('a bank of Plaid: pages without rows between others lose nothing', async () => {
    const { control } = simulators.plaid;
    control.reset({ now: TEST_START, empty_pages: 2 });
    const app = await database.open({ env: simulators.env });
    const ana = await addMember(app, 'Ana');
    const { item_id: itemId, public_token } = control.addItem();
    const connection = await link(app, ana, 'plaid', { public_token });
    // More than a page holds.
    const added = Array.from({ length: 501 }, (_, n) => ({ name: `SHOP ${n}`, amount: n + 1, date: '2026-04-20' }));
    control.changeTransactions(itemId, { added });
    expect(await runASync(app, connection.id, { trigger: 'initial' })).toMatchObject({
      status: 'success',
      added_count: 501,
      warning_count: 0,
    });
    const pages = control.requests().filter(({ path }) => path === '/transactions/sync');
    expect(pages).toHaveLength(6);
    control.changeTransactions(itemId, { added: [{ name: 'LATE', amount: 1, date: '2026-04-21' }] });
    expect(await runASync(app, connection.id)).toMatchObject({ added_count: 1, modified_count: 0, removed_count: 0 });
  });

  test('a bank of Plaid: both of its taxonomies give the same categories', async () => {
    const { control } = simulators.plaid;
    const told = async (taxonomy: 'v1' | 'v2') => {
      control.reset({ now: TEST_START, world: 'household', taxonomy });
      const app = await database.open({ env: simulators.env });
      const ana = await addMember(app, 'Ana');
      const connection = await link(app, ana, 'plaid', { public_token: 'public-sandbox-1' });
      expect(await runASync(app, connection.id, { trigger: 'initial' })).toMatchObject({ status: 'success' });
      return app.app.instance.database.read(({ q }) =>
        q
          .selectFrom('transactions as t')
          .leftJoin('categories as c', 'c.id', 't.category_id')
          .select(['t.date', 't.amount_cents', 't.name', 't.provider_category_detailed as detailed', 'c.slug'])
          .orderBy('t.date')
          .orderBy('t.amount_cents')
          .orderBy('t.name')
          .execute(),
      );
    };
    const [before, today] = [await told('v1'), await told('v2')];
    expect(before.length).toBeGreaterThan(1_000);
    expect(today.map((row) => ({ ...row, detailed: null }))).toEqual(before.map((row) => ({ ...row, detailed: null })));
    const wages = (rows: typeof today): (string | null)[] => [
      ...new Set(rows.filter(({ slug }) => slug === 'income_wages').map(({ detailed }) => detailed)),
    ];
    expect([wages(before), wages(today)]).toEqual([['INCOME_WAGES'], ['INCOME_SALARY']]);
  });

  test('a bank of Teller: one account fails and keeps its position, the other is stored', async () => {
    const { control } = simulators.teller;
    const app = await database.open({ env: simulators.env });
    const ana = await addMember(app, 'Ana');
    const enrollment = control.addEnrollment({
      accounts: [
        { name: 'Checking', last_four: '1111' },
        { name: 'Savings', last_four: '2222', subtype: 'savings' },
      ],
    });
    const [checking, savings] = enrollment.accounts.map(({ id }) => id) as [string, string];
    control.changeTransactions(enrollment.enrollment_id, {
      put: [
        { account_id: checking, amount: '-12.00', description: 'BOOKS', date: '2026-04-20' },
        { account_id: savings, amount: '3.00', description: 'INTEREST', date: '2026-04-21' },
      ],
    });
    const connection = await link(app, ana, 'teller', {
      access_token: enrollment.access_token,
      enrollment_id: enrollment.enrollment_id,
      institution_name: 'Security CU',
    });
    control.addFault({
      path: `/accounts/${savings}/transactions`,
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    const first = await runASync(app, connection.id);
    expect(first).toMatchObject({ status: 'success', added_count: 1 });
    expect(JSON.parse(first.warnings)).toMatchObject([{ code: 'account_failed', external_id: savings }]);
    expect(await shown(app)).toMatchObject([{ name: 'BOOKS', amount: '12.00' }]);
    expect(await runASync(app, connection.id)).toMatchObject({ added_count: 1, unchanged_count: 1, warning_count: 0 });
    expect((await shown(app)).map(({ name }) => name)).toEqual(['INTEREST', 'BOOKS']);
  });
});
