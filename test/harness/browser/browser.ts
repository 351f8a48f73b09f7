import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

import { builtFolder, isCurrent, readBuilt } from '../../../src/surfaces/http/pages/dashboard-sources.ts';
import type { Simulators } from '../banks/simulators.ts';
import type { SignedIn } from '../people/sessions.ts';
import type { TestApp, TestAppOptions, TestDatabase } from '../test-app.ts';
import { typeOnlyWherePeopleCan } from './typing.ts';

/** The dashboard in a real browser, against a real server. One browser and one server serve all tests of a file. */
export interface BrowserTest {
  app: TestApp;
  /** `http://127.0.0.1:<port>`, or the same with the host that was asked for. */
  address: string;
  /** A window of its own, with its own cookies. Closed at the end of the file. */
  open(path: string, options?: WindowOptions): Promise<Page>;
}

export interface WindowOptions {
  /** Whose session it has; none when signed out. */
  as?: SignedIn;
  theme?: 'light' | 'dark';
  /** 1280 unless given; 360 is a phone. */
  width?: number;
  /** Lets it keep the frame; routes of a test see nothing of what a service worker asks for. */
  keepsFrame?: boolean;
}

const ROOT = join(import.meta.dirname, '../../..');
/** Without windows, Chromium takes a quarter less time for the same tests. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
export const CHROMIUM = process.env['CHROMIUM'] ?? PROGRAMS.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
/** Headless, as root, without a graphics card, and without Chromium's own calls to the network. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DESKTOP = 1280;
const PHONE = 360;

/** Problems that every page of every test is watched for. */
const problems = new WeakMap<BrowserContext, string[]>();

interface BrowserTestOptions extends TestAppOptions {
  /** The name by which the browser reaches the server, as in a home network: plain http, and no secure context. */
  host?: string;
  /** The banks that the server and its pages talk to. */
  simulators?: Simulators;
}

/** Call it once per file; what it returns is ready when the first test runs. */
export function browserTest(
  database: TestDatabase,
  { host, simulators, ...options }: BrowserTestOptions = {},
): BrowserTest {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const test: BrowserTest = {
    app: undefined as unknown as TestApp,
    address: '',
    async open(path, windowOptions = {}) {
      const context = await newContext(browser, test, simulators ? { ...windowOptions, simulators } : windowOptions);
      contexts.push(context);
      const page = await context.newPage();
      typeOnlyWherePeopleCan(page.locator('html'));
      await page.goto(test.address + path);
      return page;
    },
  };
  beforeAll(async () => {
    const folder = options.dashboard ?? dashboardFolder();
    [browser, test.app] = await Promise.all([
      chromium.launch({
        executablePath: CHROMIUM,
        args: host === undefined ? CHROMIUM_FLAGS : [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${host} 127.0.0.1`],
      }),
      database.open({ ...options, dashboard: folder, env: { PORT: '0', ...simulators?.env, ...options.env } }),
    ]);
    const address = await test.app.app.listen();
    test.address = host === undefined ? address : address.replace('127.0.0.1', host);
  });
  afterAll(async () => {
    for (const context of contexts) expect(problems.get(context)).toEqual([]);
    await browser.close();
  });
  return test;
}

/** Builds the dashboard first if its sources have changed. */
function dashboardFolder(): string {
  const known = readBuilt(ROOT);
  if (known && isCurrent(ROOT, known)) return builtFolder(ROOT, known.hash);
  execFileSync(process.execPath, [join(ROOT, 'tools/web/build.ts'), '--if-needed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const built = readBuilt(ROOT);
  if (!built) throw new Error('The dashboard was not built.');
  return builtFolder(ROOT, built.hash);
}

async function newContext(
  browser: Browser,
  test: BrowserTest,
  { simulators, ...options }: WindowOptions & Pick<BrowserTestOptions, 'simulators'>,
): Promise<BrowserContext> {
  const { address, app } = test;
  const width = options.width ?? DESKTOP;
  const isPhone = width <= PHONE;
  const context = await browser.newContext({
    viewport: { width, height: isPhone ? 780 : 900 },
    colorScheme: options.theme ?? 'light',
    hasTouch: isPhone,
    reducedMotion: 'reduce',
    serviceWorkers: options.keepsFrame === true ? 'allow' : 'block',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  if (options.as) {
    const [name = '', value = ''] = (options.as.headers['cookie'] ?? '').split('=');
    await context.addCookies([{ name, value, url: address, httpOnly: true, sameSite: 'Lax' }]);
  }
  // Server and browser agree what time it is; its timers run all the same.
  await context.clock.setFixedTime(app.clock.now());
  const others = simulators ? [simulators.plaid.url, simulators.teller.url] : [];
  problems.set(context, watch(context, [address, ...others, 'data:']));
  return context;
}

/** Written for every answer of 400 and above, which the tests look at themselves, and about plain http. */
const EXPECTED = /^(Failed to load resource|The Cross-Origin-Opener-Policy header has been ignored)/;

/** Notes requests to other origins, console errors (a violated policy is one) and exceptions. */
function watch(context: BrowserContext, expected: readonly string[]): string[] {
  const found: string[] = [];
  context.on('request', (request) => {
    const url = request.url();
    if (!expected.some((one) => url.startsWith(one))) found.push(`request to ${url}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) found.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => found.push(`exception: ${error.error().message}`));
  return found;
}

/** Fails with what axe finds wrong with a page, as WCAG 2.2 AA and good practice; or only with what colours decide. */
export async function expectAccessible(page: Page, only?: 'colours'): Promise<void> {
  await page.evaluate('new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)))');
  // Half a megabyte, which a page needs once.
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(`(() => { ${AXE} })()`);
  const rules = only === undefined ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] };
  const violations = await page.evaluate(async (options) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const result = await axe.run({ resultTypes: ['violations'], preload: false, ...options });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' · ')}`);
  }, rules);
  expect(violations).toEqual([]);
}

interface Axe {
  run: (options: object) => Promise<{ violations: Violation[] }>;
}

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** Saves a picture of the whole page, or of its open dialog, in the folder named by SCREENSHOTS. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const isBehindDialog = (await page.locator('dialog[open]').count()) > 0;
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: !isBehindDialog });
}

/**
 * A page as it is now, with its dialogs and errors: in both themes, on a desktop and a phone. Photographs each, and runs
 * axe on it.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: DESKTOP, height: 900 };
  for (const width of [DESKTOP, PHONE]) {
    await page.setViewportSize({ width, height: width === PHONE ? 780 : 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The theme decides colours and nothing else.
      await expectAccessible(page, colorScheme === 'dark' ? 'colours' : undefined);
      await expectNoSidewaysScrolling(page);
      await photograph(page, `${name}-${colorScheme}-${width}`);
    }
  }
  await page.setViewportSize(before);
}

/** The same photographs, of a smaller state of a page whose looks are tested in others. */
export async function photographAll(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== undefined) await expectGoodLooks(page, name);
}

/** Usable without scrolling sideways (80.1). */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const root = 'document.documentElement';
  const [content, visible] = await page.evaluate<[number, number]>(`[${root}.scrollWidth, ${root}.clientWidth]`);
  expect(content).toBeLessThanOrEqual(visible);
}

const FINGER_PX = 44;

/** Wide and high enough for a finger (80.1). */
export async function expectForFinger(target: Locator): Promise<void> {
  const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 };
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(FINGER_PX);
}

/** Shown, and not to be used: with a reason that a screen reader tells. */
export async function expectRefused(control: Locator): Promise<void> {
  await expect.poll(() => control.getAttribute('aria-disabled')).toBe('true');
  const reason = await control.getAttribute('aria-describedby');
  expect(await control.page().locator(`[id="${reason}"]`).textContent()).toMatch(/\w/);
}

/** What has the focus, as a screen reader would call it. */
export async function focusedName(page: Page): Promise<string> {
  const focused = page.locator(':focus');
  return (await focused.getAttribute('aria-label')) ?? (await focused.textContent())?.trim() ?? '';
}

export async function isFocused(locator: Locator): Promise<boolean> {
  return (await locator.and(locator.page().locator(':focus')).count()) === 1;
}
