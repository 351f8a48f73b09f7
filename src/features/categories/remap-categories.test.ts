import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { useSimulators } from '../../../test/harness/banks/simulators.ts';
import { addMember, type Made } from '../../../test/harness/ledger.ts';
import { runASync } from '../../../test/harness/syncs/run-a-sync.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const simulators = useSimulators();

interface Shown {
  id: string;
  name: string;
  category: { slug: string } | null;
}

const shown = async (app: TestApp): Promise<Shown[]> =>
  (await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } })).json.transactions;

async function slugs(app: TestApp): Promise<Record<string, string | null>> {
  return Object.fromEntries((await shown(app)).map(({ name, category }) => [name, category?.slug ?? null]));
}

async function spending(app: TestApp): Promise<string[]> {
  const query = { group_by: 'category', spending_only: true };
  const { json } = await app.request('GET', '/api/v1/transactions/summary', { query });
  return json.totals.map(({ total_amount: amount }: { total_amount: string }) => amount);
}

async function link(app: TestApp, ana: Made, provider: string, credentials: object): Promise<Made> {
  const body = { provider, user_id: ana.short_id, credentials };
  const made = await app.request('POST', '/api/v1/connections', { body });
  expect([made.status, made.json.error]).toEqual([201, undefined]);
  expect(await runASync(app, made.json.id)).toMatchObject({ status: 'success' });
  return made.json;
}

/** A checking account, a card and savings at Teller: money moves between them, and one purchase is made. */
function bankOfTeller(): object {
  const { control } = simulators.teller;
  const { access_token, enrollment_id, accounts } = control.addEnrollment({
    accounts: [
      { last_four: '7857', name: 'Checking' },
      { type: 'credit', subtype: 'credit_card', last_four: '2416', name: 'Platinum Card' },
      { subtype: 'savings', last_four: '9001', name: 'Savings' },
    ],
  });
  const [checking, card, savings] = accounts.map(({ id }) => id);
  const general = { category: 'general' };
  control.changeTransactions(enrollment_id, {
    put: [
      { account_id: checking, amount: '-200.00', type: 'transfer', description: 'TO SAVINGS', details: general },
      { account_id: savings, amount: '200.00', type: 'transfer', description: 'FROM CHECKING', details: general },
      { account_id: checking, amount: '-40.00', type: 'atm', description: 'CASH', details: general },
      { account_id: checking, amount: '-60.00', type: 'payment', description: 'CARD 2416', details: general },
      { account_id: card, amount: '-60.00', type: 'payment', description: 'THANK YOU', details: general },
      { account_id: card, amount: '60.00', description: 'BISTRO', details: { category: 'dining' } },
    ],
  });
  return { access_token, enrollment_id, institution_name: 'Security Credit Union' };
}

const OF_TELLER = {
  'TO SAVINGS': 'transfer_out_account_transfer',
  'FROM CHECKING': 'transfer_in_account_transfer',
  CASH: 'transfer_out_withdrawal',
  'CARD 2416': 'loan_payments_credit_card_payment',
  'THANK YOU': 'loan_payments_credit_card_payment',
  BISTRO: 'food_and_drink_restaurant',
};

function bankOfPlaid(): object {
  const { control } = simulators.plaid;
  const { item_id: itemId, public_token } = control.addItem();
  const category = (primary: string, detailed: string) => ({
    personal_finance_category: { primary, detailed, confidence_level: 'HIGH' },
  });
  control.changeTransactions(itemId, {
    added: [
      { name: 'PAY', amount: -3_000, ...category('INCOME', 'INCOME_SALARY') },
      { name: 'CAR LOAN', amount: -9_000, ...category('LOAN_DISBURSEMENTS', 'LOAN_DISBURSEMENTS_AUTO') },
    ],
  });
  return { public_token, institution_id: 'ins_109508', institution_name: 'First Platypus Bank' };
}

const OF_PLAID = { PAY: 'income_wages', 'CAR LOAN': 'transfer_in_cash_advances_and_loans' };

/** The ledger as an earlier version left it: it read no types, and mapped these categories otherwise. */
async function makeOlder(app: TestApp, nameOfDecided: string): Promise<void> {
  await app.app.instance.database.writeBare(
    async ({ q }) => {
      const idOf = (slug: string) => sql`(select id from categories where slug = ${slug})`;
      await sql`update transactions set provider_category_detailed = null, category_source = 'provider',
        category_id = ${idOf('general_merchandise_other')} where provider_category_primary = 'general'
        and name <> ${nameOfDecided}`.execute(q);
      await sql`update transactions set provider_category_detailed = null where name = ${nameOfDecided}`.execute(q);
      await sql`update transactions set category_source = 'provider', category_id = ${idOf('income')}
        where provider_category_primary = 'INCOME'`.execute(q);
      await sql`update transactions set category_source = null, category_id = null
        where provider_category_primary = 'LOAN_DISBURSEMENTS'`.execute(q);
      await sql`delete from provider_mappings`.execute(q);
    },
    async () => undefined,
  );
}

const remaps = (app: TestApp) =>
  rowsOf<{ id: string }>(app.app.instance.database, `select id from change_sets where action = 'category.remap'`);

forEachDatabase((database) => {
  test('of money that moves between own accounts and one purchase, the purchase was spent', async () => {
    const app = await database.open({ env: simulators.env });
    await link(app, await addMember(app, 'Ana'), 'teller', bankOfTeller());
    expect(await slugs(app)).toEqual(OF_TELLER);
    expect(await spending(app)).toEqual(['60.00']);
  });

  test('what an earlier version mapped otherwise is mapped anew, once, and by nobody’s decision', async () => {
    const before = await database.open({ env: simulators.env });
    const ana = await addMember(before, 'Ana');
    const connection = await link(before, ana, 'teller', bankOfTeller());
    await link(before, ana, 'plaid', bankOfPlaid());
    expect(await slugs(before)).toEqual({ ...OF_TELLER, ...OF_PLAID });
    const cash = (await shown(before)).find(({ name }) => name === 'CASH');
    const body = { category_slug: 'travel' };
    expect((await before.request('PATCH', `/api/v1/transactions/${cash?.id}/category`, { body })).status).toBe(200);
    await makeOlder(before, 'CASH');
    await before.close();

    const app = await before.again();
    const mapped = { ...OF_TELLER, ...OF_PLAID, CASH: 'travel' };
    expect(await slugs(app)).toEqual(mapped);
    const [made, ...others] = await remaps(app);
    expect(others).toEqual([]);
    // The next sync finds nothing to change.
    expect(await runASync(app, connection.id)).toMatchObject({ modified_count: 0, unchanged_count: 6 });
    const reset = await app.request('DELETE', `/api/v1/transactions/${cash?.id}/category`);
    expect(reset.status).toBeLessThan(300);
    expect((await slugs(app))['CASH']).toBe('transfer_out_withdrawal');

    const undone = await app.request('POST', `/api/v1/change-sets/${made?.id}/revert`);
    expect(undone.status).toBeLessThan(300);
    expect(await slugs(app)).toMatchObject({
      PAY: 'income',
      'CAR LOAN': null,
      'THANK YOU': 'general_merchandise_other',
    });
    await app.close();
    const later = await app.again();
    expect((await slugs(later))['PAY']).toBe('income');
    expect(await remaps(later)).toHaveLength(1);
  });
});
