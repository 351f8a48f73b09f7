import { chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

import { systemClock } from '../../../src/kernel/clock.ts';
import { DAY_MS } from '../../../src/kernel/dates.ts';
import { eventually } from '../eventually.ts';
import { CHROMIUM, CHROMIUM_FLAGS } from './browser.ts';

/** A running demo, to somebody who visits it. */
export interface VisitedDemo {
  /** The control pages of Plaid’s and Teller’s simulators. */
  pages: readonly string[];
  // oxlint-disable-next-line typescript/no-explicit-any
  ask(method: string, path: string, body?: object): Promise<any>;
}

/** The browser finds nothing but this machine. */
const NO_NETWORK = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1';
const SLOW_MS = 60_000;

/** The demo's banks sync without doubling a row; another is linked, lives for a day, breaks and is repaired. */
export async function playWithBanks(demo: VisitedDemo): Promise<void> {
  const nothing = { status: 'success', added_count: 0, modified_count: 0, removed_count: 0, warning_count: 0 };
  expect(await syncs(demo, 2)).toMatchObject([nothing, nothing]);
  const [{ user_id: member }] = await demo.ask('GET', 'connections');
  const waiting = (await demo.ask('GET', 'sync/health')).attention.length;

  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_FLAGS, NO_NETWORK] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto((await demo.ask('POST', 'connections/link', { user_id: member, provider: 'plaid' })).url);
  await press(page, 'Choose your bank');
  await press(page, 'Connect First Platypus Bank');
  await page.getByRole('heading', { name: 'First Platypus Bank is connected' }).waitFor();
  await press(page, 'I’m done');
  const [first] = await syncs(demo, 3);
  expect(first).toMatchObject({ institution_name: 'First Platypus Bank', status: 'success', trigger: 'initial' });
  expect(first?.['added_count']).toBeGreaterThan(1_000);

  const bank = await browser.newPage();
  await bank.goto(demo.pages[0] ?? '');
  await atBank(bank, 'First Platypus Bank', 'Let a day pass');
  const [second] = await syncs(demo, 4);
  expect(second).toMatchObject({ trigger: 'webhook', status: 'success', added_count: 3, removed_count: 0 });
  expect(second?.['modified_count']).toBeGreaterThan(0);

  await atBank(bank, 'First Platypus Bank', 'Break the login');
  const broken = await eventually(async () => {
    const found = await demo.ask('GET', 'connections?status=pending_reauth');
    const one = found.find((bank: { institution_name: string }) => bank.institution_name === 'First Platypus Bank');
    expect(one).toBeDefined();
    return one;
  }, SLOW_MS);
  await page.goto((await demo.ask('POST', `connections/${broken.id}/relink`, {})).url);
  await press(page, 'Sign in');
  await press(page, 'Sign in again');
  await page.getByRole('heading', { name: 'All done' }).waitFor();
  expect(await demo.ask('GET', `connections/${broken.id}`)).toMatchObject({ status: 'active', error_code: null });
  expect((await demo.ask('GET', 'sync/health')).attention).toHaveLength(waiting);
}

/** A newcomer enables the reviewer and runs it: what it would change waits for a decision. */
export async function runAReview(demo: VisitedDemo): Promise<void> {
  const tried = await demo.ask('POST', 'workflows/test', {});
  expect(tried).toMatchObject({ response: 'Ready.', supports_tools: true, context_ok: true });
  expect(await demo.ask('POST', 'workflow-presets/routine-reviewer/enable', {})).toMatchObject({ enabled: false });
  const { id } = await demo.ask('POST', 'workflows/routine-reviewer/run', {});
  const run = await eventually(async () => {
    const found = await demo.ask('GET', `workflows/runs/${id}`);
    expect(found.status).not.toBe('in_progress');
    return found;
  }, SLOW_MS);
  expect(run).toMatchObject({ status: 'success', model: 'simulated-reviewer', total_cost_usd: null });
  const proposal = await demo.ask('GET', `proposals/${run.proposal_id}`);
  expect(proposal).toMatchObject({ status: 'proposed', conflict_count: 0 });
  expect(proposal.counts.transaction).toBeGreaterThan(1);
}

/** Waits until so many syncs of today are done, besides those that the household remembers; the newest comes first. */
async function syncs(demo: VisitedDemo, count: number): Promise<Record<string, unknown>[]> {
  return eventually(async () => {
    const { sync_logs: all } = await demo.ask('GET', 'sync/logs');
    const logs = all.filter(
      ({ started_at: at }: { started_at: string }) => Date.parse(at) > systemClock.now() - DAY_MS,
    );
    expect(logs.filter(({ status }: { status: string }) => status !== 'in_progress')).toHaveLength(count);
    return logs;
  }, SLOW_MS);
}

async function press(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Presses a button of a bank on the control page of its simulator, which then reloads. */
async function atBank(page: Page, bank: string, button: string): Promise<void> {
  const reloaded = page.waitForEvent('load');
  await page.getByRole('region', { name: bank }).getByRole('button', { name: button }).click();
  await reloaded;
}
