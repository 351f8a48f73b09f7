import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addAccount, addTransactions, categoryBySlug, type Made, type NewTransaction } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** Rules as a person writes them. */
forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let household: Promise<{ ana: SignedIn; vic: SignedIn; account: Made }> | undefined;
    const people = () =>
      (household ??= (async () => {
        const ana = await signIn(dashboard.app, { name: 'Ana' });
        const vic = await signIn(dashboard.app, { name: 'Vic', role: 'viewer' });
        return { ana, vic, account: await addAccount(dashboard.app, ana.member, { name: 'Giro', currency: 'EUR' }) };
      })());
    const add = async (...rows: (Partial<NewTransaction> & { name: string })[]): Promise<Made[]> => {
      const { account } = await people();
      return addTransactions(
        dashboard.app,
        rows.map((row) => ({ account, date: '2026-04-02', amount_cents: 1_250, iso_currency_code: 'EUR', ...row })),
      );
    };
    const open = async (path: string, who: 'ana' | 'vic' = 'ana'): Promise<Page> =>
      dashboard.open(path, { as: (await people())[who] });
    const get = async (path: string) => (await dashboard.app.request('GET', `/api/v1${path}`)).json;
    const ruleNamed = async (name: string) => (await get(`/rules?search=${encodeURIComponent(name)}`)).rules[0];

    /** Of the first action. */
    const pickCategory = async (page: Page, text: string): Promise<void> => {
      const field = page.getByRole('combobox', { name: 'Category', exact: true });
      if ((await field.count()) === 0) await page.getByRole('button', { name: /^Category: / }).click();
      await field.fill(text);
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    };
    const focused = (page: Page): Promise<string> =>
      page.evaluate<string>(
        `(({ activeElement: at }) => at.ariaLabel + ' of ' + at.closest('[role=group]')?.ariaLabel)(document)`,
      );

    test('of an address that somebody wrote wrong, the editor takes what it can use', async () => {
      const leaf = (value: unknown, op = 'contains', field = 'name') => ({ condition: { field, op, value } });
      const wrong: unknown[] = [
        'no object',
        { condition: 'x', actions: 'y', triggers: 5, name: 7, priority: {}, stop: 'yes', expires_at: 'soon' },
        { actions: [{ type: 'add_comment' }, { type: 'add_comment', content: 5 }, null, { type: 'constructor' }] },
        { actions: [{ type: 'add_tag', tag_slug: { a: 1 } }] },
        { actions: [{ type: 'set_category', category_id: ['x'] }] },
        leaf({ a: 1 }),
        leaf(null),
        leaf([null, { a: 1 }], 'in'),
        leaf('x', 'in'),
        leaf('much', 'gt', 'amount'),
        leaf({ a: 1 }, 'eq', 'amount'),
        leaf({ a: 1 }, 'eq', 'date'),
        leaf([], 'eq', 'category'),
        leaf(5, 'in', 'tags'),
        leaf('x', 'constructor', '__proto__'),
        leaf({ a: 1 }, 'eq', 'metadata.'),
        leaf({ a: 1 }, 'gte', 'day_of_week'),
        leaf('x', 'eq', 'month'),
        { condition: { field: 'day_of_week', op: 'between', min: 'x', max: null } },
        { condition: { and: [{ not: { field: 'amount', op: 'approx', value: 'x', tolerance: {} } }] } },
      ];
      const page = await open('/rules/new');
      for (const start of wrong) {
        await page.goto(`${dashboard.address}/rules/new?start=${encodeURIComponent(JSON.stringify(start))}`);
        await page
          .getByRole('button', { name: /^Save and apply/ })
          .waitFor({ timeout: 10_000 })
          .catch(() => {
            throw new Error(`No editor for ${JSON.stringify(start)}`);
          });
        expect(await page.getByText('could not be shown').count(), JSON.stringify(start)).toBe(0);
      }
    });

    test('what the preview counts is what applying changes, and one undo takes all of it back', async () => {
      const coffee = await categoryBySlug(dashboard.app, 'food_and_drink_coffee');
      const rows = await add(
        { name: 'REWE 114', merchant_name: 'REWE' },
        { name: 'REWE 115', merchant_name: 'REWE', date: '2026-04-03' },
        { name: 'Rewe online', merchant_name: 'REWE' },
        { name: 'EDEKA' },
      );
      await dashboard.app.request('POST', '/api/v1/transactions/bulk-update', {
        body: { transaction_ids: [rows[2]?.id], changes: { category_id: coffee.id } },
      });
      const page = await open('/rules/new');
      await page.getByRole('textbox', { name: 'Name' }).fill('REWE is groceries');
      await page.getByRole('textbox', { name: 'Value' }).fill('rewe');
      await pickCategory(page, 'groceries');
      const preview = page.getByRole('region', { name: 'What it would do now' });
      await expect.poll(() => preview.innerText()).toMatch(/3 transactions match[^]*2 would change/);
      await expect.poll(() => preview.innerText()).toContain('1 keeps something as it is');
      await preview.getByText('→').first().waitFor();
      await expectGoodLooks(page, 'rule-new');
      await page.getByRole('button', { name: 'Save and apply' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('2 of 3 transactions that match will change.').waitFor();
      await expectGoodLooks(page, 'rule-apply');
      await dialog.getByRole('button', { name: 'Save and change 2' }).click();
      await page.getByText('Rule created, 2 transactions changed').waitFor();
      const categories = async () =>
        Promise.all(rows.map(async ({ id }) => (await get(`/transactions/${id}`)).category?.slug ?? null));
      expect(await categories()).toEqual([
        'food_and_drink_groceries',
        'food_and_drink_groceries',
        'food_and_drink_coffee',
        null,
      ]);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(categories).toEqual([null, null, 'food_and_drink_coffee', null]);
      await expect.poll(() => ruleNamed('REWE is groceries')).toBeUndefined();
    });

    test('a tree built by clicks is stored as the same tree typed as JSON, and the two stay in step', async () => {
      const page = await open('/rules/new');
      const row = (place: string) => page.getByRole('group', { name: `Condition ${place}`, exact: true });
      const choose = async (place: string, field: string, comparison: string) => {
        await row(place).getByRole('combobox', { name: 'Field' }).selectOption(field);
        await row(place).getByRole('combobox', { name: 'Comparison' }).selectOption(comparison);
      };
      await page.getByRole('textbox', { name: 'Name' }).fill('By clicks');
      await row('1').getByRole('textbox', { name: 'Value' }).fill('rewe');
      await page.getByRole('button', { name: 'Condition', exact: true }).click();
      await choose('2', 'amount_abs', 'between');
      await row('2').getByRole('textbox', { name: 'From' }).fill('10');
      await row('2').getByRole('textbox', { name: 'To' }).fill('49,90');
      await page.getByRole('button', { name: 'Group', exact: true }).last().click();
      await choose('3.1', 'day_of_week', 'in');
      await row('3.1').getByRole('checkbox', { name: 'Sunday' }).check();
      await row('3.1').getByRole('checkbox', { name: 'Saturday' }).check();
      const ofGroup = page.getByRole('group', { name: 'Group 3', exact: true });
      await ofGroup.getByRole('button', { name: 'Condition', exact: true }).click();
      await choose('3.2', 'pending', 'eq');
      await page.getByRole('button', { name: 'More for group 3' }).click();
      await page.getByRole('menuitem', { name: 'Say the opposite' }).click();
      await page.getByRole('button', { name: 'Remove condition 1', exact: true }).click();
      await expect.poll(() => focused(page)).toBe('Field of Condition 1');
      await page.getByRole('button', { name: 'Move condition 1 down' }).click();
      await page.getByRole('combobox', { name: 'How many must be true' }).selectOption('or');
      await pickCategory(page, 'coffee');
      await expectGoodLooks(page, 'rule-tree');
      const tree = {
        or: [
          {
            not: {
              or: [
                { field: 'amount_abs', op: 'between', min: '10.00', max: '49.90' },
                { field: 'day_of_week', op: 'in', value: [0, 6] },
                { field: 'pending', op: 'eq', value: true },
              ],
            },
          },
        ],
      };
      await page.getByText('JSON', { exact: true }).click();
      const json = page.getByRole('textbox', { name: 'Conditions as JSON' });
      await expect.poll(async () => JSON.parse(await json.inputValue())).toEqual(tree);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(async () => (await ruleNamed('By clicks'))?.condition).toEqual(tree);

      const other = await open('/rules/new');
      await other.getByRole('textbox', { name: 'Name' }).fill('By typing');
      await other.getByText('JSON', { exact: true }).click();
      const typed = other.getByRole('textbox', { name: 'Conditions as JSON' });
      await typed.fill('{"or": [');
      await other.getByText('This is no JSON yet', { exact: false }).waitFor();
      await other.getByText('Rows', { exact: true }).click();
      await other.getByRole('button', { name: 'Back to the JSON' }).click();
      await typed.fill('{"or": [{"field": "name", "op": "eq", "value": "x"}, {"and": []}]}');
      await other.getByText('condition.or[1].and: must be a list of at least one condition').waitFor();
      await expectGoodLooks(other, 'rule-json');
      await typed.fill(JSON.stringify(tree).replace('"10.00"', '10'));
      await other.getByText('Rows', { exact: true }).click();
      await other.getByRole('group', { name: 'Condition 1.3' }).waitFor();
      await pickCategory(other, 'coffee');
      await other.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(async () => (await ruleNamed('By typing'))?.condition).toEqual(tree);
      expect((await ruleNamed('By typing')).actions).toEqual((await ruleNamed('By clicks')).actions);
    });

    test('what the server finds wrong is said at its row, in its words, and nothing is lost', async () => {
      const page = await open('/rules/new');
      const row = page.getByRole('group', { name: 'Condition 1', exact: true });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await row.getByText('Fill this in, or remove the condition.').waitFor();
      await row.getByRole('combobox', { name: 'Comparison' }).selectOption('matches');
      await row.getByRole('textbox', { name: 'Value' }).fill('(a');
      await row.getByText(/missing closing \)/).waitFor();
      await expectGoodLooks(page, 'rule-wrong');
      await row.getByRole('textbox', { name: 'Value' }).fill('(?=a)');
      await row.getByText(/RE2 syntax[^]*\?=/).waitFor();
      await row.getByRole('textbox', { name: 'Value' }).fill('(?i)rewe\\s+\\d+');
      await row.getByText('RE2 syntax', { exact: false }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Condition', exact: true }).click();
      const second = page.getByRole('group', { name: 'Condition 2', exact: true });
      await second.getByRole('combobox', { name: 'Field' }).selectOption('amount');
      await second.getByRole('textbox', { name: 'Value' }).fill('ten');
      await second.getByText('Must be an amount with at most two decimals', { exact: false }).waitFor();
      // Leaving asks, and staying keeps what was written.
      await page.getByRole('link', { name: 'Home', exact: true }).click();
      await page.getByRole('dialog').getByText('Leave without saving?').waitFor();
      await page.getByRole('button', { name: 'Stay' }).click();
      await expect.poll(() => second.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('ten');
    });

    test('a viewer reads what a rule would be, and is told why nothing can be saved', async () => {
      const page = await open('/rules/new', 'vic');
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await save.waitFor();
      expect(await save.isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: /^Save and apply/ }).isDisabled()).toBe(true);
    });

    test('by keyboard alone: a rule made from a row, previewed, applied and undone', async () => {
      const rows = await add(
        { name: 'KIOSK 17 BERLIN', date: '2026-04-20' },
        { name: 'Kiosk 4 Hamburg', date: '2026-04-19' },
      );
      const page = await open('/transactions');
      await page.getByRole('link', { name: 'KIOSK 17 BERLIN' }).waitFor();
      const keys: string[] = [];
      const press = async (...pressed: string[]): Promise<void> => {
        for (const key of pressed) {
          keys.push(key);
          await page.keyboard.press(key);
        }
      };
      await press('j', 'n');
      await page.getByRole('combobox', { name: 'Category', exact: true }).waitFor();
      await expect.poll(() => page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('KIOSK');
      await press('g', 'r', 'o', 'c', 'Enter');
      const preview = page.getByRole('region', { name: 'What it would do now' });
      await expect.poll(() => preview.innerText()).toMatch(/2 transactions match[^]*2 would change/);
      await press('Control+Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Save and change 2' }).waitFor();
      await press('Enter');
      await page.waitForURL(/\/rules\/\w{8}$/);
      await page.getByText('Rule created, 2 transactions changed').waitFor();
      const slugs = async () =>
        Promise.all(rows.map(async ({ id }) => (await get(`/transactions/${id}`)).category?.slug ?? null));
      expect(await slugs()).toEqual(['food_and_drink_groceries', 'food_and_drink_groceries']);
      await press('z');
      await expect.poll(slugs).toEqual([null, null]);
      await expect.poll(() => ruleNamed('KIOSK')).toBeUndefined();
      expect(keys).toHaveLength(10);
    });

    test('a rule begins with what another page knows: a transaction, ticked rows, a group of Review, a counterparty', async () => {
      const coffee = await categoryBySlug(dashboard.app, 'food_and_drink_coffee');
      const bakery = (await dashboard.app.request('POST', '/api/v1/counterparties', { body: { name: 'Bakery' } })).json;
      const tag = await get('/tags/needs-review');
      const [deli] = await add(
        { name: 'x', merchant_name: 'Deli', category: coffee, date: '2026-04-26', tags: [tag] },
        { name: 'BOOKS 12', date: '2026-04-25' },
      );
      const sentence = (page: Page) => page.getByRole('region', { name: 'What it would do now' });
      const says = (page: Page, text: RegExp) => expect.poll(() => sentence(page).innerText()).toMatch(text);

      const alone = await open(`/transactions/${deli?.id}`);
      await alone.getByRole('button', { name: 'Make a rule', exact: true }).click();
      await says(alone, /When the merchant is Deli[^]*Coffee/);
      // What was not changed leaves without a question.
      await alone.getByRole('button', { name: 'Cancel' }).click();
      await alone.waitForURL(/\/rules$/);

      const list = await open('/transactions');
      await list.getByRole('link', { name: 'Deli' }).waitFor();
      for (const key of ['j', 'x', 'j', 'x']) await list.keyboard.press(key);
      const bar = list.getByRole('region', { name: 'Selected transactions' });
      await bar.getByText('2 selected').waitFor();
      await bar.getByRole('button', { name: 'More' }).click();
      await list.getByRole('menuitem', { name: 'Make a rule of them' }).click();
      await says(list, /When the merchant is Deli or the text begins with BOOKS/);

      const review = await open('/review');
      await review.getByRole('button', { name: /^Edit a rule/ }).waitFor();
      await review.getByRole('button', { name: /^Edit a rule/ }).click();
      await review.waitForURL(/\/rules\/new\?start=/);
      await says(review, /^What it would do now\s+When /);

      const parties = await open('/counterparties');
      await parties.getByRole('button', { name: 'Actions for Bakery' }).click();
      await parties.getByRole('menuitem', { name: 'Make a rule' }).click();
      await says(parties, /When the counterparty is Bakery/);
      expect(new URL(parties.url()).searchParams.get('start')).toContain(bakery.id);

      await parties.keyboard.press('Escape');
      await parties.keyboard.press('Control+k');
      await parties.getByRole('dialog').getByRole('combobox').fill('make a rule');
      await parties.getByRole('option', { name: /Make a rule/ }).click();
      await parties.waitForURL(/\/rules\/new$/);
    });

    test('of a rule that two people edit, nothing is overwritten unasked; leaving the editor asks', async () => {
      const coffee = { type: 'set_category', category_slug: 'food_and_drink_coffee' };
      const stored = { name: 'Cafe', condition: { field: 'name', op: 'contains', value: 'cafe' }, actions: [coffee] };
      const { short_id: id } = (await dashboard.app.request('POST', '/api/v1/rules', { body: stored })).json;
      const page = await open(`/rules/${id}?edit=1`);
      const value = page.getByRole('textbox', { name: 'Value' });
      await value.fill('kaffee');
      const change = (body: object) => dashboard.app.request('PATCH', `/api/v1/rules/${id}`, { body });
      await change({ name: 'Cafes', condition: { ...stored.condition, value: 'café' } });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Yours: When the text contains “kaffee”' }).waitFor();
      await page.getByRole('button', { name: 'Saved meanwhile: When the text contains “café”' }).waitFor();
      await expectGoodLooks(page, 'rule-conflict');
      expect((await get(`/rules/${id}`)).condition.value).toBe('café');
      await page.getByRole('button', { name: /^Yours/ }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Stay' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(new RegExp(`/rules/${id}$`));
      const { name, condition } = await get(`/rules/${id}`);
      expect([name, condition.value]).toEqual(['Cafes', 'kaffee']);
      await page.getByText('Rule saved').waitFor();
    });
  },
  ['SQLite'],
);
