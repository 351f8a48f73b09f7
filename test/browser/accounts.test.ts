import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { generateHousehold } from '../../simulators/household.ts';
import { writeHousehold } from '../../simulators/write-household.ts';
import { csvWithBalance, importFile } from '../harness/bank-files/bank-files.ts';
import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import type { Made } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

interface Account extends Made {
  name: string;
  display_name: string | null;
  provider: string;
  type: string;
  iso_currency_code: string;
  balance_current: string | null;
  is_excluded: boolean;
}

/** From an empty list to accounts of every kind. The tests build on each other. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let viewer: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app, { name: 'Ana' });
      viewer = await signIn(browser.app, { name: 'Cleo', role: 'viewer' });
    });
    const api = async (path: string, query: Record<string, string> = {}) =>
      (await browser.app.request('GET', `/api/v1${path}`, { query })).json;
    const accountNamed = async (name: string): Promise<Account> => {
      const all: Account[] = await api('/accounts', { include_disconnected: 'true' });
      return all.find((one) => (one.display_name ?? one.name) === name) as Account;
    };
    const open = (path: string, as = ana): Promise<Page> => browser.open(path, { as });
    const dialog = (page: Page) => page.getByRole('dialog');
    const section = (page: Page, title: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    const settings = (page: Page) => section(page, 'Settings');
    const save = (page: Page) => settings(page).getByRole('button', { name: 'Save' });

    test('an empty list shows the ways to fill it, and an account by hand is one of them', async () => {
      const page = await open('/accounts');
      await page.getByText('No accounts yet').waitFor();
      await page.getByRole('link', { name: 'Connect a bank' }).waitFor();
      await expectGoodLooks(page, 'accounts-empty');
      await page.getByRole('button', { name: 'New account' }).click();
      await dialog(page).getByLabel('Name').fill('Wallet');
      await dialog(page).getByLabel('Currency').fill('eur');
      await dialog(page).getByLabel('Owner').selectOption({ label: 'Ana' });
      await dialog(page)
        .getByLabel(/^Balance/)
        .fill('120,50');
      await expectGoodLooks(page, 'accounts-new');
      await dialog(page).getByRole('button', { name: 'Add the account' }).click();
      await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
      await page.getByText('€120.50').first().waitFor();
      await page.getByText('No transactions yet. Add one by hand').waitFor();
      await expectGoodLooks(page, 'account-by-hand');
      expect(await accountNamed('Wallet')).toMatchObject({ balance_current: '120.50', iso_currency_code: 'EUR' });
    });

    test('a transaction is added by hand, a balance stated and taken back, and each can be undone', async () => {
      const wallet = await accountNamed('Wallet');
      const page = await open(`/accounts/${wallet.short_id}`);
      await page.getByRole('button', { name: 'Add a transaction' }).click();
      await dialog(page).getByLabel('What').fill('Farmers’ market');
      await dialog(page).getByLabel('Amount in EUR').fill('2*6,25');
      await dialog(page).getByRole('button', { name: 'Let the rules decide' }).click();
      await page.keyboard.type('groceries');
      await expect.poll(() => page.locator('[role=option]').first().innerText()).toMatch(/Groceries/);
      await page.keyboard.press('Enter');
      await expectGoodLooks(page, 'account-add-transaction');
      await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
      await section(page, 'Newest transactions').getByText('Farmers’ market').waitFor();
      const { transactions } = await api('/transactions', { account_id: wallet.id });
      expect(transactions).toMatchObject([{ amount: '12.50', category: { slug: 'food_and_drink_groceries' } }]);

      await page.getByRole('button', { name: 'State a balance' }).click();
      await dialog(page).getByLabel('Day').fill('2026-04-20');
      await dialog(page).getByLabel('Balance in EUR').fill('133.00');
      await dialog(page).getByRole('button', { name: 'State the balance' }).click();
      const reported = page.getByRole('table', { name: 'Reported balances' });
      await reported.getByRole('row', { name: /20 Apr 2026 By hand €133.00/ }).waitFor();
      await reported.getByRole('button', { name: 'Take back the balance of 20 Apr 2026' }).click();
      await reported.getByRole('row', { name: /20 Apr 2026/ }).waitFor({ state: 'detached' });
      await page.getByText('Balance taken back').waitFor();
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await reported.getByRole('row', { name: /20 Apr 2026 By hand €133.00/ }).waitFor();
    });

    test('an account with transactions says how many go with it, and Undo brings it back', async () => {
      const wallet = await accountNamed('Wallet');
      const page = await open(`/accounts/${wallet.short_id}`);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog(page).getByText('Its one transaction goes with it.').waitFor();
      await expectGoodLooks(page, 'account-delete');
      await dialog(page).getByRole('button', { name: 'Delete it with 1 transaction' }).click();
      await page.getByText('No accounts yet').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('link', { name: 'Wallet' }).waitFor();
      expect((await api('/transactions', { account_id: wallet.id })).transactions).toHaveLength(1);
    });

    test('the list is grouped by type, member or bank, in the address, with sums per currency', async () => {
      await writeHousehold(
        browser.app.app.instance,
        generateHousehold({ seed: 1, transactions: 1_200, years: 1, until: '2026-04-25' }),
      );
      const page = await open('/accounts');
      await page.getByRole('rowheader', { name: /^Credit cards/ }).waitFor();
      const { balances } = await api('/overview');
      for (const { net, iso_currency_code: currency } of balances) {
        await page.getByText(money(net, currency), { exact: true }).first().waitFor();
      }
      await expectGoodLooks(page, 'accounts');
      await page.getByRole('radio', { name: 'Member' }).check();
      await page.getByRole('rowheader', { name: /^Ben Okafor/ }).waitFor();
      expect(new URL(page.url()).search).toBe('?by=member');
      await page.reload();
      await page.getByRole('rowheader', { name: /^Ben Okafor/ }).waitFor();
    });

    test('the table of the chart has the figures of the API, and every part shows the account', async () => {
      const account = await busiest();
      const page = await open(`/accounts/${account.short_id}`);
      const balance = section(page, 'Balance');
      await balance.getByText('Show the figures').click();
      const rows = await balance.getByRole('table', { name: 'Balance over time' }).locator('tbody tr').allInnerTexts();
      const { balances: known } = await api(`/accounts/${account.id}/balances`);
      const oldest = await api('/transactions', { account_id: account.id, order: 'asc', limit: '1' });
      const dates: string[] = [known[0].date, oldest.transactions[0].date];
      const [first = ''] = dates.toSorted();
      const { series } = await api('/overview/history', {
        account_id: account.id,
        date_from: first > '2025-04-26' ? first : '2025-04-26',
        date_to: '2026-04-26',
      });
      const points = series[0].points as { date: string; assets: string; derived: boolean }[];
      expect(rows.map((row) => row.split('\t'))).toEqual(
        points
          .toReversed()
          .map(({ date, assets, derived }) => [
            inWords(date),
            money(assets, account.iso_currency_code),
            derived ? 'Calculated' : 'Reported',
          ]),
      );
      const { summary } = await api('/transactions/summary', {
        account_id: account.id,
        group_by: 'month',
        date_from: '2025-05-01',
      });
      const flow = section(page, 'Money in and out');
      await flow.getByText('Show the figures').click();
      const newest = summary[0] as { money_in: string; money_out: string };
      await flow
        .getByRole('row')
        .filter({ hasText: money(newest.money_out, account.iso_currency_code) })
        .first()
        .waitFor();
      const spent = section(page, 'Where it went');
      await spent.getByRole('listitem').first().waitFor();
      for (const link of [
        flow.getByRole('link', { name: money(newest.money_out, account.iso_currency_code) }).first(),
        flow.getByRole('link', { name: money(newest.money_in, account.iso_currency_code) }).first(),
        spent.getByRole('link').first(),
        spent.getByRole('link').last(),
      ]) {
        // What the link leads to adds up to the figure that it is on.
        const { searchParams } = new URL((await link.getAttribute('href')) ?? '', browser.address);
        const { totals } = await api('/transactions/count', {
          ...Object.fromEntries(searchParams),
          include_totals: 'true',
        });
        expect(totals).toHaveLength(1);
        expect(money(totals[0].total_amount.replace(/^-/, ''), account.iso_currency_code)).toBe(await link.innerText());
      }
      await expectGoodLooks(page, 'account');
    });

    test('a label is set, and clearing it shows the bank’s name again', async () => {
      const account = await busiest();
      const page = await open(`/accounts/${account.short_id}`);
      await settings(page).getByLabel('Label').fill('Household money');
      await save(page).click();
      await page.getByRole('heading', { level: 1, name: 'Household money' }).waitFor();
      await settings(page).getByLabel('Label').fill('');
      await save(page).click();
      await page.getByRole('heading', { level: 1, name: account.name }).waitFor();
      expect(await accountNamed(account.name)).toMatchObject({ id: account.id, display_name: null });
      await expectGoodLooks(page, 'account-label');
    });

    test('leaving an account out of totals changes them, and its own figures say so', async () => {
      const account = await busiest();
      const page = await open('/accounts');
      const netOf = async (): Promise<string> => {
        const all: { iso_currency_code: string; net: string }[] = (await api('/overview')).balances;
        return all.find((one) => one.iso_currency_code === account.iso_currency_code)?.net ?? '0.00';
      };
      const before = await netOf();
      await page.getByText(money(before, account.iso_currency_code), { exact: true }).first().waitFor();
      await page.getByRole('link', { name: labelOf(account), exact: true }).click();
      await settings(page).getByLabel('Leave it out of totals').check();
      await save(page).click();
      await section(page, 'Money in and out').getByText('No total of the household has it.').first().waitFor();
      await page.getByText('not in totals').first().waitFor();
      const after = await netOf();
      expect(after).not.toBe(before);
      await page.getByRole('link', { name: 'Accounts' }).first().click();
      await page.getByText(money(after, account.iso_currency_code), { exact: true }).first().waitFor();
      await page
        .getByText(`Not in these sums: ${NOT_COUNTED}, ${labelOf(account)}.`)
        .or(page.getByText(`Not in these sums: ${labelOf(account)}, ${NOT_COUNTED}.`))
        .waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText(money(before, account.iso_currency_code), { exact: true }).first().waitFor();
    });

    test('of two tabs, the second save of the same field shows both values, of another field it saves', async () => {
      const wallet = await accountNamed('Wallet');
      const [one, other] = [await open(`/accounts/${wallet.short_id}`), await open(`/accounts/${wallet.short_id}`)];
      await settings(one).getByLabel('Label').fill('Purse');
      await settings(other).getByLabel('Kind').fill('cash');
      await save(one).click();
      await one.getByRole('heading', { level: 1, name: 'Purse' }).waitFor();
      await save(other).click();
      await other.getByRole('heading', { level: 1, name: 'Purse' }).waitFor();
      expect(await api(`/accounts/${wallet.id}`)).toMatchObject({ display_name: 'Purse', subtype: 'cash' });

      await settings(one).getByLabel('Label').fill('Pocket');
      await settings(other).getByLabel('Label').fill('Change');
      await settings(other).getByLabel('Owner').selectOption({ label: 'Cleo' });
      await save(one).click();
      await one.getByRole('heading', { level: 1, name: 'Pocket' }).waitFor();
      await save(other).click();
      const conflict = settings(other).locator('[data-conflict]');
      await conflict.getByRole('button', { name: 'Yours: Change' }).waitFor();
      await expectGoodLooks(other, 'account-conflict');
      expect(await api(`/accounts/${wallet.id}`)).toMatchObject({ display_name: 'Pocket', owner_user_id: null });
      await conflict.getByRole('button', { name: 'Saved meanwhile: Pocket' }).click();
      await expect.poll(() => settings(other).getByLabel('Label').inputValue()).toBe('Pocket');
      await save(other).click();
      await expect.poll(async () => (await api(`/accounts/${wallet.id}`)).owner_user_name).toBe('Cleo');
      expect((await api(`/accounts/${wallet.id}`)).display_name).toBe('Pocket');
    });

    test('imports are listed with their proof, and the balance has its mark', async () => {
      const file = csvWithBalance(50_000, '2026-04-01 RENT -450.00', '2026-04-02 INTEREST 1.20');
      const fields = { account_name: 'Savings book', user_id: ana.member.short_id, sign: 'positive_is_in' };
      expect((await importFile(browser.app, file, fields)).status).toBe(201);
      const account = await accountNamed('Savings book');
      const page = await open(`/accounts/${account.short_id}`);
      await section(page, 'Imports')
        .getByRole('row', { name: /bank\.csv/ })
        .getByText('Adds up')
        .waitFor();
      await page.getByText('adds up with what the file sent, 2 Apr').waitFor({ state: 'attached' });
      await expectGoodLooks(page, 'account-imported');
      browser.app.clock.advance(1_000);
      const gap =
        'Date,Description,Amount,Currency,Balance\n2026-04-10,DINNER,-20.00,EUR,31.20\n2026-04-11,BOOK,-5.00,EUR,20.20\n';
      const answer = await importFile(browser.app, gap, {
        ...fields,
        accept_unproved: true,
        file_name: 'gap.csv',
      });
      expect(answer.status, answer.text).toBe(201);
      const list = await open('/accounts');
      await list
        .getByRole('row', { name: /Savings book/ })
        .getByRole('link', { name: /€6\.00 apart, / })
        .click();
      await list.waitForURL(/#imports$/);
    });

    test('an account that a bank feeds offers neither adding, stating nor deleting', async () => {
      const account = await accountNamed('Savings book');
      await browser.app.write('test.feed', async (tx) => {
        await tx.q.updateTable('accounts').set({ provider: 'plaid' }).where('id', '=', account.id).execute();
        const of = { entityType: 'account', entityId: account.id, entityShortId: account.short_id } as const;
        tx.journal.record({ ...of, operation: 'update', before: {}, after: {}, revertible: false });
      });
      const page = await open(`/accounts/${account.short_id}`);
      await page.getByRole('link', { name: 'Open the connection' }).waitFor();
      await section(page, 'Reported balances').getByRole('row').nth(1).waitFor();
      await settings(page).getByLabel('Label').waitFor();
      for (const name of ['Add a transaction', 'State a balance', 'Delete']) {
        expect(await page.getByRole('button', { name }).count()).toBe(0);
      }
      for (const label of ['Name', 'Type', 'Currency']) {
        expect(await settings(page).getByLabel(label, { exact: true }).count()).toBe(0);
      }
    });

    test('a disconnected account is shown on demand, in the address, and in no sum', async () => {
      const account = await accountNamed('Savings book');
      const { connection_id: id } = await api(`/accounts/${account.id}`);
      await browser.app.write('test.disconnect', async (tx) => {
        await tx.q.updateTable('connections').set({ status: 'disconnected' }).where('id', '=', id).execute();
        const of = { entityType: 'connection', entityId: id, entityShortId: null } as const;
        tx.journal.record({ ...of, operation: 'update', before: {}, after: {}, revertible: false });
      });
      const page = await open('/accounts');
      await page.getByRole('button', { name: 'Show 1 disconnected account' }).click();
      const row = page.getByRole('row', { name: /Savings book/ });
      await row.getByText('Disconnected').waitFor();
      expect(new URL(page.url()).search).toBe('?disconnected=true');
      const { balances } = await api('/overview');
      for (const { net, iso_currency_code: currency } of balances) {
        await page.getByText(money(net, currency), { exact: true }).first().waitFor();
      }
      await expectGoodLooks(page, 'accounts-disconnected');
      await page.getByRole('button', { name: 'Hide 1 disconnected account' }).click();
      await row.waitFor({ state: 'detached' });
    });

    test('a viewer sees everything, and is told why nothing can be changed', async () => {
      const list = await open('/accounts', viewer);
      const add = list.getByRole('button', { name: 'New account' });
      await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true');
      await expect.poll(() => add.getAttribute('title')).toContain('Viewers cannot make changes');
      const wallet = await accountNamed('Pocket');
      const page = await open(`/accounts/${wallet.short_id}`, viewer);
      await section(page, 'Newest transactions').getByText('Farmers’ market').waitFor();
      for (const name of ['Add a transaction', 'Delete', 'State a balance', 'Link with another account', 'Save']) {
        expect(await page.getByRole('button', { name, exact: true }).getAttribute('aria-disabled'), name).toBe('true');
      }
      await expectGoodLooks(page, 'account-viewer');
    });

    /** A bank account with a history. */
    async function busiest(): Promise<Account> {
      const { summary } = await api('/transactions/summary', { group_by: 'account', excluded_accounts: 'include' });
      const all: Account[] = await api('/accounts');
      const counts = new Map(
        summary.map((row: { account_id: string; transaction_count: number }) => [
          row.account_id,
          row.transaction_count,
        ]),
      );
      const [first] = all
        .filter(({ type, balance_current: balance }) => type === 'depository' && balance !== null)
        .sort((a, b) => Number(counts.get(b.id) ?? 0) - Number(counts.get(a.id) ?? 0));
      return first as Account;
    }
  },
  ['SQLite'],
);

/** The demonstration household leaves this one out. */
const NOT_COUNTED = 'Mia pocket money';

function labelOf({ display_name: label, name }: Account): string {
  return label ?? name;
}

function money(amount: string, currency: string): string {
  const digits = new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(
    amount.replace(/^-/, '') as `${number}`,
  );
  return amount.startsWith('-') ? `−${digits}` : digits;
}

function inWords(day: string): string {
  const format = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(new Date(day));
}
