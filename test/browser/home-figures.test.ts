import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addAccount, addMember, addTransactions, type Made, type NewTransaction } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

interface Category extends Made {
  slug: string;
  name: string;
  kind: string;
  parent_id: string | null;
}

/** A row as the test wrote it: the page is held against these, and against the lists that its links lead to. */
interface Row {
  account: Account;
  date: string;
  cents: number;
  currency: string;
  category: Category | null;
  owner: string;
  pending: boolean;
}

interface Account extends Made {
  owner: string;
  excluded?: boolean;
  dependent?: boolean;
}

/** Every sentence and figure of home, held against the rows. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    const members = new Map<string, Made>();
    const rows: Row[] = [];
    let ana: SignedIn;
    let categories: readonly Category[];
    let accounts: readonly Account[];

    beforeAll(async () => {
      const { app } = browser;
      ana = await signIn(app, { name: 'Ana', remember: true });
      members.set('Ana', ana.member);
      for (const name of ['Ben', 'Cleo']) members.set(name, await addMember(app, name));
      categories = (await app.request('GET', '/api/v1/categories')).json as Category[];
      const make = async (owner: string, name: string, more: object = {}): Promise<Account> => ({
        ...(await addAccount(app, members.get(owner) as Made, { name, ...more })),
        owner,
        ...more,
      });
      accounts = [
        await make('Ana', 'Giro'),
        await make('Ana', 'Card', { type: 'credit' }),
        await make('Ana', 'Old account', { excluded: true }),
        await make('Ana', 'Copy of the card', { dependent: true }),
        await make('Ben', 'Purse'),
        await make('Cleo', 'Savings', { excluded: true }),
      ];
      await addRows('2026-01', '2026-02', '2026-03', '2026-04');
    });

    /** Rows of every kind on most days of these months; the next numbers of a sequence decide, so they are always the same. */
    async function addRows(...months: readonly string[]): Promise<void> {
      const { json: tag } = await browser.app.request('GET', '/api/v1/tags/needs-review');
      const review = tag as Made;
      const top = categories.filter(({ parent_id: parent }) => parent === null);
      const some = [...top, ...categories.filter(({ parent_id: parent }) => parent !== null).slice(0, 40)];
      const made: NewTransaction[] = [];
      for (const month of months) {
        for (let index = 0; index < 90; index++) {
          const account = pick(accounts);
          const category = next() % 6 === 0 ? null : pick(some);
          const isAttributed = account.owner === 'Ana' && next() % 9 === 0;
          const row: Row = {
            account,
            date: `${month}-${String(1 + (next() % 28)).padStart(2, '0')}`,
            // A refund is money in of an expense; a salary taken back is money out of an income.
            cents: (next() % 5 === 0 ? -1 : 1) * (1 + (next() % 90_000)),
            currency: next() % 4 === 0 ? 'USD' : 'EUR',
            category,
            owner: isAttributed ? 'Ben' : account.owner,
            pending: next() % 15 === 0,
          };
          rows.push(row);
          made.push({
            account,
            date: row.date,
            amount_cents: row.cents,
            iso_currency_code: row.currency,
            name: `ROW ${rows.length}`,
            category,
            ...(isAttributed ? { attributed: members.get('Ben') as Made } : {}),
            ...(next() % 20 === 0 ? { tags: [review] } : {}),
            columns: {
              pending: row.pending ? 1 : 0,
              flagged_at: next() % 25 === 0 ? new Date(browser.app.clock.now()).toISOString() : null,
            },
          });
        }
      }
      await addTransactions(browser.app, made);
    }

    let seed = 7;
    function next(): number {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed;
    }
    function pick<T>(list: readonly T[]): T {
      return list[next() % list.length] as T;
    }

    const isOf = (member: string | undefined, row: Row): boolean => member === undefined || row.owner === member;
    const countsIn = ({ account, pending }: Row): boolean =>
      !pending && account.excluded !== true && account.dependent !== true;
    const isTransfer = ({ category }: Row): boolean => category?.kind === 'transfer';
    const between = ({ date }: Row, from: string, to: string): boolean => date >= from && date <= to;
    const sum = (some: readonly Row[]): string =>
      (Math.abs(some.reduce((total, { cents }) => total + cents, 0)) / 100).toFixed(2);
    const spent = (member: string | undefined, currency: string, from: string, to: string): Row[] =>
      rows.filter(
        (row) =>
          isOf(member, row) &&
          countsIn(row) &&
          !isTransfer(row) &&
          row.currency === currency &&
          row.cents > 0 &&
          between(row, from, to),
      );
    const cameIn = (member: string | undefined, currency: string, from: string, to: string): Row[] =>
      rows.filter(
        (row) =>
          isOf(member, row) &&
          countsIn(row) &&
          !isTransfer(row) &&
          row.currency === currency &&
          row.cents < 0 &&
          between(row, from, to),
      );

    async function openHome(query: Record<string, string> = {}, as = ana): Promise<Page> {
      const page = await browser.open(`/?${new URLSearchParams(query).toString()}`, { as });
      await page.getByRole('heading', { name: 'Money in and out' }).waitFor();
      await page.getByRole('heading', { name: 'Spent so far, against last month' }).waitFor();
      await page.getByRole('heading', { name: 'Spent by category' }).waitFor();
      await page
        .getByText(/in \d|^Nothing that counts was spent/)
        .first()
        .waitFor();
      await page.getByRole('heading', { name: 'Newest transactions' }).waitFor();
      return page;
    }
    const memberQuery = (member: string | undefined): Record<string, string> =>
      member === undefined ? {} : { user_id: (members.get(member) as Made).short_id };

    /** All that a link of the page says, and the list that it leads to. */
    async function figures(page: Page): Promise<{ text: string; search: string }[]> {
      return page.locator('main a[href^="/transactions?"]').evaluateAll((links) =>
        links.map((link) => ({
          text: link.textContent ?? '',
          search: new URL((link as unknown as { href: string }).href).search,
        })),
      );
    }

    /** The rows that a list shows, page by page, over the API. */
    async function listed(search: string): Promise<{ amount: string; iso_currency_code: string }[]> {
      const found: { amount: string; iso_currency_code: string }[] = [];
      for (let cursor = ''; ;) {
        const query = new URLSearchParams(search);
        query.set('limit', '500');
        if (cursor !== '') query.set('cursor', cursor);
        const { status, json, text } = await browser.app.request('GET', `/api/v1/transactions?${query.toString()}`);
        expect(status, text).toBe(200);
        found.push(...json.transactions);
        if (!json.has_more) return found;
        cursor = json.next_cursor as string;
      }
    }

    async function expectTrueFigures(page: Page): Promise<number> {
      const all = (await figures(page)).filter(({ text }) => /\d/.test(text));
      const known = new Map<string, Awaited<ReturnType<typeof listed>>>();
      for (const { text, search } of all) {
        const found = known.get(search) ?? (await listed(search));
        known.set(search, found);
        if (/\.\d\d$/.test(text)) {
          expect(new Set(found.map(({ iso_currency_code: code }) => code)).size, `${text} ${search}`).toBe(1);
          const cents = found.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0);
          expect((Math.abs(cents) / 100).toFixed(2), `${text} ${search}`).toBe(text.replaceAll(/[^\d.]/g, ''));
        } else {
          expect(found.length, `${text} ${search}`).toBe(Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', '')));
        }
      }
      return all.length;
    }

    const views = [
      [undefined, 'EUR'],
      [undefined, 'USD'],
      ['Ana', 'EUR'],
      ['Ben', 'EUR'],
      ['Ben', 'USD'],
    ] as const;

    test.each(views)(
      'each figure of %s in %s leads to rows that add up to it',
      async (member, currency) => {
        const page = await openHome({ ...memberQuery(member), currency });
        expect(await expectTrueFigures(page)).toBeGreaterThan(50);
        for (const code of ['EUR', 'USD']) {
          const expected = `April so far: ${money(sum(spent(member, code, '2026-04-01', '2026-04-26')), code)} spent, ${money(sum(cameIn(member, code, '2026-04-01', '2026-04-26')), code)} came in`;
          await page.getByText(expected, { exact: true }).waitFor();
        }
        const april = rows.filter((row) => isOf(member, row) && between(row, '2026-04-01', '2026-04-26'));
        const line = () => page.getByText(/^Not counted: /).innerText();
        const inTotals = ({ account }: Row): boolean => account.excluded !== true && account.dependent !== true;
        await expect.poll(line).toContain(`${april.filter((row) => countsIn(row) && isTransfer(row)).length} transfer`);
        await expect.poll(line).toContain(`${april.filter((row) => row.pending && inTotals(row)).length} pending`);
        const excluded = april.filter(({ account }) => account.excluded === true);
        const copies = april.filter(({ account }) => account.dependent === true);
        if (excluded.length > 0) await expect.poll(line).toContain(`${excluded.length} of `);
        if (copies.length > 0) await expect.poll(line).toContain(`${copies.length} of copies of other accounts`);
        // The same days of last month.
        const section = page
          .locator('section')
          .filter({ has: page.getByRole('heading', { name: 'Spent by category' }) });
        const lead = section.locator('p').first();
        await expect
          .poll(() => lead.innerText())
          .toBe(
            `${money(sum(spent(member, currency, '2026-04-01', '2026-04-26')), currency)} in 1–26 Apr, ` +
              `${money(sum(spent(member, currency, '2026-03-01', '2026-03-26')), currency)} in 1–26 Mar. Transfer categories are not counted.`,
          );
        const running = page.locator('figcaption').filter({ hasText: 'by 26 Apr' });
        await expect
          .poll(() => running.innerText())
          .toBe(
            `${money(sum(spent(member, currency, '2026-04-01', '2026-04-26')), currency)} by 26 Apr, ` +
              `${money(sum(spent(member, currency, '2026-03-01', '2026-03-26')), currency)} by 26 Mar. Transfer categories are not counted.`,
          );
      },
      180_000,
    );

    test('who has only excluded accounts is told so, with the way to change it', async () => {
      const page = await openHome(memberQuery('Cleo'));
      await page.getByText('No account of Cleo counts in totals').waitFor();
      await page.getByText('April so far: nothing that counts was spent or came in').waitFor();
      const april = rows.filter((row) => row.owner === 'Cleo' && between(row, '2026-04-01', '2026-04-26'));
      await page.getByText(`${april.length} of the excluded account Savings`).waitFor();
      expect(await expectTrueFigures(page)).toBeGreaterThan(0);
      await expectGoodLooks(page, 'home-excluded');
      await page.getByRole('main').getByRole('link', { name: 'Savings', exact: true }).first().click();
      await page.getByRole('heading', { name: 'Savings', level: 1 }).waitFor();
    }, 60_000);

    test('flagged rows, and what waits for a look, are the rows of their links', async () => {
      const { json } = await browser.app.request('GET', '/api/v1/overview');
      const page = await openHome();
      const { flagged_count: flagged, needs_review_count: review } = json.backlog;
      await page.getByRole('link', { name: `${flagged + review} things to look at` }).waitFor();
      await page.getByText(`${flagged} transactions are flagged.`).waitFor();
      const all = page.getByRole('link', { name: 'Look at all of them' });
      expect((await listed(new URL(`${browser.address}${await all.getAttribute('href')}`).search)).length).toBe(
        flagged,
      );
    });

    test('a whole month is said to be one, and is held against all of a shorter one', async () => {
      browser.app.clock.advance(Date.parse('2026-05-31T12:00:00Z') - browser.app.clock.now());
      await addRows('2026-05');
      const dora = await signIn(browser.app, { name: 'Dora' });
      const page = await openHome({ currency: 'EUR' }, dora);
      const [may, april] = [
        spent(undefined, 'EUR', '2026-05-01', '2026-05-31'),
        spent(undefined, 'EUR', '2026-04-01', '2026-04-30'),
      ];
      const came = cameIn(undefined, 'EUR', '2026-05-01', '2026-05-31');
      await page
        .getByText(`May: ${money(sum(may), 'EUR')} spent, ${money(sum(came), 'EUR')} came in`, { exact: true })
        .waitFor();
      await page
        .getByText(`${money(sum(may), 'EUR')} in 1–31 May, ${money(sum(april), 'EUR')} in 1–30 Apr.`)
        .first()
        .waitFor();
      expect(await expectTrueFigures(page)).toBeGreaterThan(50);
    }, 120_000);
  },
  ['SQLite'],
);

function money(amount: string, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(Number(amount));
}
