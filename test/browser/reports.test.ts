import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';
import { workflowTitle } from '../../web/lib/workflow-titles.ts';

/** What a report must not do, whoever wrote it. `{t}` is a transaction. */
const NASTY = `## Ünfair <script>globalThis.hit = 1</script>

<script>globalThis.hit = 2</script>

<img src="https://evil.example/1.png" onerror="globalThis.hit = 3">

- [script](javascript:globalThis.hit=4) [entity](&#106;avascript&colon;globalThis.hit=5) [tab](java&Tab;script:globalThis.hit=6)
- [data](data:text/html,<script>globalThis.hit=7</script>) <javascript:globalThis.hit=8> [here](//evil.example) [code](/auth/device)
- ![pixel](data:image/svg+xml,<svg onload=globalThis.hit=9>) ![beacon](https://evil.example/2.png)
- [My bank \u202e elpmaxe.live](https://evil.example/login) [![inner](https://evil.example/3.png)](https://outer.example/)
- <https://auto.example/x> and https://bare.example/x, [the coffee](/transactions/{t}), [banks](/connections)
- [x] done
- [ ] open

| What | Amount |
|:-----|-------:|
| ~~Old~~ **New** | 12.00 |

> quoted \`code\`

\`\`\`html
<script>globalThis.hit = 10</script>
\`\`\`
`;
const HITS = 'globalThis.hit';

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let people: Promise<{ ana: SignedIn; cleo: SignedIn }> | undefined;
    const household = () =>
      (people ??= (async () => ({
        ana: await signIn(dashboard.app, { name: 'Ana' }),
        cleo: await signIn(dashboard.app, { name: 'Cleo', role: 'viewer' }),
      }))());
    const openAs = async (who: 'ana' | 'cleo', path: string): Promise<Page> =>
      dashboard.open(path, { as: (await household())[who] });
    const submit = async (body: object, how: object = {}): Promise<{ id: string; short_id: string }> => {
      const answer = await dashboard.app.request('POST', '/api/v1/reports', { body, ...how });
      expect(answer.status, answer.text).toBe(201);
      return answer.json;
    };
    const readAt = async ({ id }: { id: string }): Promise<unknown> =>
      (await dashboard.app.request('GET', `/api/v1/reports/${id}`)).json.read_at;

    test('without reports, the page says what they are', async () => {
      const page = await openAs('ana', '/reports');
      await page.getByText('No reports yet').waitFor();
      const main = page.getByRole('main');
      const presets = (await dashboard.app.request('GET', '/api/v1/workflow-presets')).json as {
        name: string;
      }[];
      for (const { name } of presets) {
        const isForReports = name === 'Weekly Money Digest' || name === 'Monthly Close';
        expect(await main.getByText(workflowTitle(name).title).count(), name).toBe(isForReports ? 1 : 0);
      }
      await expect
        .poll(() => main.getByRole('link', { name: 'See ready-made workflows' }).getAttribute('href'))
        .toBe('/workflows');
      await expectGoodLooks(page, 'reports-empty');
    });

    test('a hostile report executes and loads nothing, and its links lead where they say', async () => {
      const { app } = dashboard;
      const account = await addAccount(app, await addMember(app, 'Ben'));
      const [coffee] = await addTransactions(app, [
        { account, date: '2026-04-01', amount_cents: 450, name: 'CORNER CAFE' },
      ]);
      const body = NASTY.replace('{t}', coffee?.short_id ?? '');
      const report = await submit({
        title: '<b>Nasty</b> \u202e txet',
        body,
        priority: 'critical',
        tags: ['<i>tag</i>'],
      });
      expect((await app.request('GET', `/api/v1/reports/${report.id}`)).json.body).toBe(body);

      const page = await openAs('ana', `/reports/${report.short_id}`);
      await page.getByRole('heading', { name: /^Ünfair <script>/ }).waitFor();
      for (const shown of [
        '<b>Nasty</b>',
        '<i>tag</i>',
        '<img src="https://evil.example/1.png" onerror=',
        'hit = 10',
      ]) {
        await expect.poll(() => page.getByRole('article').innerText()).toContain(shown);
      }
      expect(await page.getByRole('article').locator('img, script, iframe, b, i, svg[onload]').count()).toBe(0);
      const links = await page
        .getByRole('article')
        .locator('a')
        .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href'), one.getAttribute('rel')]));
      const outside = 'noopener noreferrer nofollow';
      expect(links).toEqual([
        ['beacon', 'https://evil.example/2.png', outside],
        ['My bank \u202e elpmaxe.live', 'https://evil.example/login', outside],
        ['inner', 'https://outer.example/', outside],
        ['https://auto.example/x', 'https://auto.example/x', outside],
        ['the coffee', expect.stringMatching(/^\/transactions\/\w+$/), null],
        ['banks', '/connections', null],
      ]);
      await expect.poll(() => page.getByRole('article').innerText()).toContain('(evil.example)');
      await expectGoodLooks(page, 'report-nasty');
      for (const name of ['script', 'entity', 'tab', 'data', 'pixel']) {
        await page.getByRole('article').getByText(name, { exact: false }).first().click();
      }
      await page.getByRole('link', { name: 'the coffee' }).click();
      await page.getByRole('dialog').getByRole('heading', { name: 'CORNER CAFE' }).waitFor();
      await expectGoodLooks(page, 'report-transaction');
      await page.keyboard.press('Escape');
      expect(await page.evaluate(HITS)).toBeUndefined();
    });

    test('a person’s own links need no host beside them', async () => {
      const { ana } = await household();
      const body = { title: 'By Ana', body: '[a shop](https://shop.example/)' };
      const report = await submit(body, { key: null, headers: ana.headers });
      const page = await openAs('ana', `/reports/${report.short_id}`);
      await page.getByRole('link', { name: 'a shop' }).waitFor();
      expect(await page.getByText('(shop.example)').count()).toBe(0);
    });

    test('a text too intricate for the browser is shown as it was written, and the page stays usable', async () => {
      const body = `${'*a_ '.repeat(20_000)}the end`;
      const report = await submit({ title: 'Intricate', body });
      const page = await openAs('ana', `/reports/${report.short_id}`);
      await page.getByRole('button', { name: 'Keep unread' }).click();
      await page.getByText('too intricate to be laid out').waitFor();
      await page.getByText('the end').waitFor();
    });

    test('a report is read after two seconds, unless it is kept unread; all are marked at once, and undone', async () => {
      const [first, second] = [
        await submit({ title: 'Rents', body: 'Paid.' }),
        await submit({ title: 'Fuel', body: 'Dear.' }),
      ];
      const page = await openAs('ana', '/reports?show=unread');
      await page.getByRole('link', { name: 'Rents' }).click();
      await page.getByRole('button', { name: 'Mark as unread' }).waitFor();
      expect(await readAt(first)).not.toBeNull();
      await page
        .getByRole('navigation', { name: 'Main', exact: true })
        .getByRole('link', { name: /^Reports/ })
        .click();
      await page
        .getByRole('list', { name: 'Read reports', exact: true })
        .getByRole('link', { name: 'Rents' })
        .waitFor();

      await page.getByRole('link', { name: 'Fuel' }).click();
      await page.getByRole('button', { name: 'Keep unread' }).click();
      await page.getByRole('button', { name: 'Mark as read' }).waitFor();
      await page.getByRole('link', { name: 'Reports', exact: true }).last().click();
      await page.getByRole('list', { name: 'Unread reports' }).getByRole('link', { name: 'Fuel' }).waitFor();
      expect(await readAt(second)).toBeNull();
      await expectGoodLooks(page, 'reports');

      await page.getByRole('button', { name: 'Mark all as read' }).click();
      await page.getByText('Nothing is unread.').waitFor();
      expect(await readAt(second)).not.toBeNull();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('list', { name: 'Unread reports' }).getByRole('link', { name: 'Fuel' }).waitFor();
      expect([await readAt(first), await readAt(second)]).toEqual([expect.any(String), null]);
    });

    test('a report is deleted after a question, and comes back by Undo', async () => {
      const report = await submit({ title: 'Old news', body: 'Nothing.' });
      const page = await openAs('ana', `/reports/${report.short_id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Report deleted').waitFor();
      await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
      expect(await page.getByRole('link', { name: 'Old news' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('link', { name: 'Old news' }).waitFor();
    });

    test('a report that somebody else deletes while it is open stays readable, and offers nothing any more', async () => {
      const report = await submit({ title: 'Short-lived', body: 'Read me.' });
      const page = await openAs('ana', `/reports/${report.short_id}`);
      await page.getByText('Read me.').waitFor();
      const gone = await dashboard.app.request('DELETE', `/api/v1/reports/${report.id}`);
      expect(gone.status, gone.text).toBe(204);
      // It would be marked as read now.
      await page.getByText('This report has been deleted').waitFor();
      await page.getByText('Read me.').waitFor();
      for (const name of ['Keep unread', 'Delete']) {
        expect(await page.getByRole('button', { name }).count(), name).toBe(0);
      }
      await expectGoodLooks(page, 'report-gone');
    });

    test('a viewer reads, marks nothing by reading, and cannot mark', async () => {
      const report = await submit({ title: 'For all', body: 'Hello, Cleo.' });
      const page = await openAs('cleo', `/reports/${report.short_id}`);
      await page.getByText('Hello, Cleo.').waitFor();
      for (const name of ['Keep unread', 'Delete']) {
        await expect.poll(() => page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
      }
      await page.clock.fastForward(10_000);
      await page.getByRole('link', { name: 'Reports', exact: true }).last().click();
      await page.getByRole('list', { name: 'Unread reports' }).getByRole('link', { name: 'For all' }).waitFor();
      await expect
        .poll(() => page.getByRole('button', { name: 'Mark all as read' }).getAttribute('aria-disabled'))
        .toBe('true');
      expect(await readAt(report)).toBeNull();
    });
  },
  ['SQLite'],
);
