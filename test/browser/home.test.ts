import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { generateHousehold } from '../../simulators/household.ts';
import { writeHousehold } from '../../simulators/write-household.ts';
import { csvWithBalance, importFile } from '../harness/bank-files/bank-files.ts';
import { browserTest, expectAccessible, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

interface Balance {
  iso_currency_code: string;
  net: string;
}
interface Worth {
  date: string;
  assets: string;
  liabilities: string;
  net: string;
}

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app);
    });
    const api = async (path: string, query: Record<string, string> = {}) =>
      (await browser.app.request('GET', `/api/v1${path}`, { query })).json;
    const section = (page: Page, title: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    const attention = (page: Page) => page.getByRole('region', { name: 'Needs attention' });

    test('an empty household is shown the ways into it', async () => {
      const page = await browser.open('/', { as: ana });
      const main = page.getByRole('main');
      await main.getByRole('button', { name: /Choose a file from your bank/ }).waitFor();
      await main.getByRole('link', { name: 'Choose the bank' }).waitFor();
      await main.getByRole('link', { name: 'Make an API key' }).waitFor();
      expect(await main.innerText()).not.toMatch(/curl|npm|\/api\/|localhost/);
      await expectGoodLooks(page, 'home-empty');
    }, 120_000);

    test('a household is shown what it owns, owes, earns and spends', async () => {
      const household = generateHousehold({ seed: 1, transactions: 1_200, years: 1, until: '2026-04-25' });
      await writeHousehold(browser.app.app.instance, household);
      const page = await browser.open('/', { as: ana });
      await section(page, 'Newest transactions').getByText('2026').first().waitFor();
      for (const title of ['Net worth', 'Money in and out', 'Spent so far, against last month']) {
        await section(page, title).getByText('Show the figures').waitFor();
      }
      await section(page, 'Spent by category').getByText('Transfer categories are not counted').waitFor();
      await page
        .getByText(/^April so far: .* spent, .* came in$/)
        .first()
        .waitFor();
      await expectGoodLooks(page, 'home');
      // Each group of accounts adds up, and what is left out of totals stands apart.
      const groups = section(page, 'Accounts');
      const balances: { iso_currency_code: string; assets: string; liabilities: string }[] = (await api('/overview'))
        .balances;
      const heads = (await groups.getByRole('heading', { level: 3 }).allInnerTexts()).join('\n');
      for (const { assets, liabilities } of balances) {
        for (const amount of [assets, liabilities]) if (amount !== '0.00') expect(heads).toContain(digits(amount));
      }
    }, 120_000);

    test('the chart has the figures of its answer, and its points are reached with the keyboard', async () => {
      const page = await browser.open('/?period=3m', { as: ana });
      const worth = section(page, 'Net worth');
      await worth.getByText('Show the figures').click();
      // As a table or as cards: what a cell says comes after its heading.
      const shown = await worth
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.children].map((cell) => cell.lastElementChild?.textContent?.trim() ?? '')),
        );
      const { series } = await api('/overview/history', { date_from: '2026-01-26', date_to: '2026-04-26' });
      const line = series.find((one: Balance) => one.iso_currency_code === 'USD').points as Worth[];
      const expected = line
        .toReversed()
        .map(({ date, assets, liabilities, net }) => [inWords(date), usd(assets), usd(liabilities), usd(net)]);
      expect(shown.map((row) => row.slice(0, 4))).toEqual(expected);

      const slider = worth.getByRole('slider');
      await slider.focus();
      await page.keyboard.press('Home');
      const [first, second] = line as [Worth, Worth];
      await expect
        .poll(() => slider.getAttribute('aria-valuetext'))
        .toContain(`${inWords(first.date)}: ${usd(first.net)}`);
      await page.keyboard.press('ArrowRight');
      await worth.getByText(usd(second.net), { exact: true }).first().waitFor();
      await expect
        .poll(() => slider.getAttribute('aria-valuetext'))
        .toContain(`${inWords(second.date)}: ${usd(second.net)}`);
    });

    test('another member, currency and period change every figure, are in the address, and Back undoes them', async () => {
      const page = await browser.open('/', { as: ana });
      const balances = section(page, 'Accounts').locator('ul').first();
      const all: Balance[] = (await api('/overview')).balances;
      // Two currencies, each on its own: no figure is the sum of both.
      for (const { net } of all) await balances.getByText(digits(net)).first().waitFor();
      const everybody = await figures(page);

      const members: { user_id: string; name: string }[] = (await api('/overview')).members;
      const ben = members.find(({ name }) => name === 'Ben Okafor');
      await page.getByLabel('Whose money').selectOption({ label: 'Ben Okafor' });
      const own: Balance[] = (await api('/overview', { user_id: String(ben?.user_id) })).balances;
      for (const { net } of own) await balances.getByText(digits(net)).first().waitFor();
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe(`?user_id=${ben?.user_id}`);
      const his = await figures(page);
      for (const [index, figure] of his.entries()) expect(figure).not.toBe(everybody[index]);

      await page.getByLabel('USD', { exact: true }).check();
      await section(page, 'Net worth').getByText('US$').first().waitFor();
      await page.getByLabel('1 M').check();
      await section(page, 'Net worth').getByText('From 26 Mar 2026').waitFor();
      expect(new URL(page.url()).search).toContain('currency=USD');
      for (let steps = 0; steps < 3; steps++) await page.goBack();
      await balances
        .getByText(digits((all[0] as Balance).net))
        .first()
        .waitFor();
      expect(new URL(page.url()).search).toBe('');
    });

    test('the flagged entry leads to all flagged rows, and goes when none is flagged', async () => {
      const flagged = (await api('/transactions', { flagged: 'true', limit: '500' })).transactions as { id: string }[];
      const page = await browser.open('/', { as: ana });
      await attention(page).getByText(`${flagged.length} transactions are flagged.`).waitFor();
      await expectAccessible(page);
      await attention(page).getByRole('link', { name: 'Look at all of them' }).click();
      await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
      expect(new URL(page.url()).search).toBe('?flagged=true');
      const operations = flagged.map(({ id }) => ({ transaction_id: id, flagged: false }));
      const body = { operations: operations.slice(1) };
      expect((await browser.app.request('POST', '/api/v1/transactions/update', { body })).status).toBe(200);
      await page.goto(browser.address);
      await attention(page).getByText('1 transaction is flagged.').waitFor();
      const last = { operations: operations.slice(0, 1) };
      expect((await browser.app.request('POST', '/api/v1/transactions/update', { body: last })).status).toBe(200);
      await page.reload();
      await section(page, 'Newest transactions').getByText('2026').first().waitFor();
      expect(await page.getByText('is flagged.').count()).toBe(0);
    });

    test('an import that does not add up is reverted where it asks for attention', async () => {
      const rows = ['2026-04-01 Tea -2.00', '2026-04-02 Coffee -4.50', '2026-04-03 Rent -500.00'] as const;
      const file = csvWithBalance(100_000, ...rows).replace('-4.50', '-4.51');
      const fields = { account_name: 'Wallet', user_id: ana.member.id, accept_unproved: true };
      expect((await importFile(browser.app, file, fields)).json.import.balance_proof.status).toBe('broken');
      const page = await browser.open('/', { as: ana });
      const entry = attention(page).getByText(/do not add up/);
      await attention(page).getByRole('button', { name: 'Undo the import' }).click();
      await page.getByRole('dialog').getByText('The 3 transactions').waitFor();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('region', { name: 'Newest imports' }).getByText('Undone').waitFor();
      await entry.waitFor({ state: 'detached' });
    });

    test('what brings transactions in is at hand, and a viewer is told why it is not', async () => {
      const page = await browser.open('/', { as: ana });
      const more = page.getByRole('main').getByRole('button', { name: 'More' });
      await more.click();
      await page.getByRole('menuitem', { name: 'Sync now' }).click();
      await page.getByRole('status').getByText('There is no bank to sync.').waitFor();
      await more.click();
      await page.getByRole('menuitem', { name: 'Add cash' }).click();
      await page.getByRole('dialog', { name: 'New account' }).waitFor();
      await page.keyboard.press('Escape');
      await more.click();
      await page.getByRole('menuitem', { name: 'Add a bank' }).click();
      await page.getByRole('heading', { name: 'Add a bank' }).waitFor();

      const viewer = await signIn(browser.app, { role: 'viewer', name: 'Vera' });
      const hers = await browser.open('/', { as: viewer });
      const button = hers.getByRole('main').getByRole('button', { name: 'Import a file' });
      await button.waitFor();
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
      await expect.poll(() => button.getAttribute('title')).toMatch(/viewer/i);
    });

    test('a part that fails says so and can be tried again, while the rest stays', async () => {
      const page = await browser.open('/help', { as: ana });
      const failure = { error: { code: 'INVALID_PARAMETER', message: 'It failed.', request_id: 'r1' } };
      await page.route('**/overview/history*', (route) => route.fulfill({ status: 400, json: failure }));
      await page.goto(`${browser.address}/`);
      const worth = section(page, 'Net worth');
      await worth.getByText('It failed.').waitFor();
      await section(page, 'Money in and out').getByText('Show the figures').waitFor();
      await expectAccessible(page);
      await page.unroute('**/overview/history*');
      await worth.getByRole('button', { name: 'Try again' }).click();
      await worth.getByText('Show the figures').waitFor();

      await page.goto(`${browser.address}/?user_id=zzzzzzzz`);
      await page.getByText('household member').first().waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show everyone' }).click();
      await worth.getByText('Show the figures').waitFor();
    });

    test('what comes in while the page is open shows within a minute, in every part', async () => {
      const purse = { name: 'Purse', iso_currency_code: 'USD', user_id: ana.member.id };
      const account = (await browser.app.request('POST', '/api/v1/accounts', { body: purse })).json;
      const page = await browser.open('/help', { as: ana });
      await page.clock.install();
      await page.goto(`${browser.address}/`);
      const newest = section(page, 'Newest transactions');
      await newest.getByText('2026').first().waitFor();
      await section(page, 'Money in and out').getByText('Show the figures').waitFor();
      const before = await section(page, 'Money in and out').getByRole('slider').getAttribute('aria-valuetext');
      const body = { account_id: account.id, date: '2026-04-26', amount: '1234.56', name: 'A roof window' };
      expect((await browser.app.request('POST', '/api/v1/transactions', { body })).status).toBe(201);
      await page.clock.fastForward(61_000);
      await newest.getByText('A roof window').waitFor();
      const slider = section(page, 'Money in and out').getByRole('slider');
      await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(before);
    });
  },
  ['SQLite'],
);

/** Every figure that belongs to somebody, as it is on the page. */
async function figures(page: Page): Promise<string[]> {
  const titles = ['Accounts', 'Net worth', 'Spent by category', 'Money in and out', 'Newest transactions'];
  const texts: string[] = [];
  for (const title of titles) {
    const part = page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    await part
      .getByText(/\d\.\d\d/)
      .first()
      .waitFor();
    texts.push(await part.innerText());
  }
  return texts;
}

function usd(amount: string): string {
  const text = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'USD' }).format(Math.abs(Number(amount)));
  return amount.startsWith('-') ? `−${text}` : text;
}

function digits(amount: string): string {
  return new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(Math.abs(Number(amount)));
}

function inWords(day: string): string {
  const form = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', form).format(new Date(day));
}
