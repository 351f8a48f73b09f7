import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { CHROMIUM, CHROMIUM_FLAGS } from '../harness/browser/browser.ts';
import { useSimulators } from '../harness/banks/simulators.ts';

const simulators = useSimulators();
let browser: Browser;
let server: Server;
let address: string;

/** A page of another origin with the policy of a hosted page (contract 35.4, 35.8), which notes what it is told. */
beforeAll(async () => {
  server = createServer((asked, answer) => {
    const script = new URL(asked.url ?? '', 'http://page').searchParams.get('script') ?? '';
    const policy = `default-src 'none'; script-src 'nonce-n' ${script}; connect-src 'self' ${script === '' ? '' : new URL(script).origin}; style-src 'self' 'unsafe-inline'`;
    answer.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
    answer.end(`<!doctype html><title>Page</title><script src="${script}"></script>
      <script nonce="n">const told = []; const note = (name) => (...values) => told.push([name, ...values]);</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

async function pageWith(script: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${address}/?script=${encodeURIComponent(script)}`);
  return page;
}

/** What the page was told, once it was told something. */
async function toldTo(page: Page): Promise<unknown> {
  const told = (): Promise<[string, ...unknown[]][]> => page.evaluate('told');
  await expect.poll(async () => (await told()).some(([name]) => !/^on(Load|Init)$/.test(name))).toBe(true);
  return page.evaluate('told.splice(0)');
}

test('the simulated window of Plaid links a bank, fails, is left, and repairs an item', async () => {
  const { plaid } = simulators;
  const made = plaid.control.addItem();
  const page = await pageWith(plaid.linkScriptUrl);
  const headers = { 'content-type': 'application/json', 'plaid-client-id': 'c', 'plaid-secret': 's' };
  const user = { client_user_id: 'u' };
  const open = async (more: object): Promise<void> => {
    const body = JSON.stringify({ client_name: 'H', language: 'en', country_codes: ['US'], user, ...more });
    const answer = await fetch(`${plaid.url}/link/token/create`, { method: 'POST', headers, body });
    const { link_token: token } = (await answer.json()) as { link_token: string };
    await page.evaluate(
      `Plaid.create({token: '${token}', onSuccess: note('onSuccess'), onExit: note('onExit'), onLoad: note('onLoad')}).open()`,
    );
  };
  const dialog = page.getByRole('dialog', { name: 'Plaid (simulated)' });
  await open({ products: ['transactions'] });
  await dialog.getByRole('button', { name: 'Connect First Platypus Bank' }).click();
  await expect
    .poll(() => toldTo(page))
    .toMatchObject([
      ['onLoad'],
      [
        'onSuccess',
        'public-sandbox-2',
        { institution: { institution_id: 'ins_109508' }, accounts: [{ id: 'acc-sim-1' }, {}] },
      ],
    ]);
  expect(await dialog.count()).toBe(0);

  await open({ products: ['transactions'] });
  await dialog.getByRole('button', { name: 'Fail' }).click();
  await expect.poll(() => toldTo(page)).toMatchObject([['onLoad'], ['onExit', { error_code: 'INSTITUTION_DOWN' }, {}]]);
  await open({ products: ['transactions'] });
  await dialog.getByRole('button', { name: 'Exit' }).click();
  await expect.poll(() => toldTo(page)).toMatchObject([['onLoad'], ['onExit', null, {}]]);
  await page.evaluate(
    `Plaid.create({token: 'link-sandbox-1', onSuccess: note('onSuccess'), onExit: note('onExit')}).open()`,
  );
  await expect.poll(() => toldTo(page)).toMatchObject([['onExit', { error_code: 'INVALID_LINK_TOKEN' }, {}]]);

  plaid.control.changeItem(made.item_id, { error: 'ITEM_LOGIN_REQUIRED' });
  await open({ access_token: made.access_token });
  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  await expect.poll(() => toldTo(page)).toMatchObject([['onLoad'], ['onSuccess', 'public-sandbox-3', {}]]);
  expect(plaid.control.state()).toMatchObject({ items: [{ error: null }] });
  await page.close();
});

test('a bank that is linked already is linked again as a new item with new ids', async () => {
  const { plaid, teller } = simulators;
  const { item_id: item } = plaid.control.addItem({ linked: true });
  plaid.control.changeTransactions(item, { added: [{ name: 'Tea' }] });
  const { enrollment_id: enrollment } = teller.control.addEnrollment({ linked: true });
  teller.control.changeTransactions(enrollment, { put: [{ description: 'Tea' }] });
  const page = await pageWith(teller.connectScriptUrl);
  const setup = (more = ''): string =>
    `TellerConnect.setup({applicationId: 'a', environment: 'sandbox', ${more} onInit: note('onInit'), onSuccess: note('onSuccess'), onExit: note('onExit'), onFailure: note('onFailure')}).open()`;
  const dialog = page.getByRole('dialog', { name: 'Teller (simulated)' });
  await page.evaluate(setup());
  await dialog.getByRole('button', { name: 'Connect Security Credit Union' }).click();
  await expect
    .poll(() => toldTo(page))
    .toMatchObject([
      ['onInit'],
      [
        'onSuccess',
        {
          accessToken: 'test_token_sim_2',
          enrollment: { id: 'enr_sim_2', institution: { name: 'Security Credit Union' } },
        },
      ],
    ]);
  expect(teller.control.state()).toMatchObject({
    enrollments: [
      {},
      { accounts: [{ id: 'acc_sim_3' }, {}], transactions: [{ id: 'txn_sim_2', account_id: 'acc_sim_3' }] },
    ],
  });
  teller.control.changeEnrollment(enrollment, { disconnected: 'credentials_invalid' });
  await page.evaluate(setup(`enrollmentId: '${enrollment}',`));
  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  await expect.poll(() => toldTo(page)).toMatchObject([['onInit'], ['onSuccess', { accessToken: 'test_token_sim_1' }]]);
  expect(teller.control.state()).toMatchObject({ enrollments: [{ disconnected: null }, {}] });
  await page.evaluate(setup());
  await dialog.getByRole('button', { name: 'Fail' }).click();
  await expect.poll(() => toldTo(page)).toMatchObject([['onInit'], ['onFailure', { code: 'error' }]]);
  await page.evaluate(setup());
  await dialog.getByRole('button', { name: 'Exit' }).click();
  await expect.poll(() => toldTo(page)).toEqual([['onInit'], ['onExit']]);
  await page.close();
});
