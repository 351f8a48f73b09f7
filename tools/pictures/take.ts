import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium, type Browser, type Page } from 'playwright-core';

import { createApp } from '../../src/app.ts';
import { PAGES } from '../../src/contract/pages.ts';
import { createDemoLink } from '../../src/features/demo/index.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { seededRandom, systemRandom } from '../../src/kernel/random.ts';
import { fillDemo, startDemoWorld, type FilledDemo } from '../../src/surfaces/cli/server/fill-demo.ts';
import { nextStatement } from './next-statement.ts';

/**
 * `npm run pictures`: small pictures of the main pages for the README and Help, from a demo whose time and chances are
 * fixed, so that only what changed in a page changes its picture. WebP, because Chromium writes it smallest.
 */

const FOLDER = join(import.meta.dirname, '../../docs/pictures');
const NOW = Date.parse('2026-04-28T16:20:00.000Z');
const SEED = 1;
const TRANSACTIONS = 12_000;
const MAX_BYTES = 60 * 1024;
const QUALITIES = [82, 74, 66, 58, 50, 42];
const WIDE = { width: 1_200, height: 800 };
const PHONE = { width: 390, height: 780 };
/** Of Ada's bank, Ben's, and his second login at hers. */
const FIRST_SYNCS = 3;
const LOOK_AGAIN_MS = 200;
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

interface Picture {
  name: string;
  path: string;
  viewport?: typeof WIDE;
  /** What has to be there, and what is done first. */
  show: (page: Page) => Promise<unknown>;
}

process.env['TZ'] = 'UTC';
const clock = { now: () => NOW };
const dataDir = mkdtempSync(join(tmpdir(), 'homeledger-pictures-'));
const world = await startDemoWorld(SEED);
const config = readConfig({ ...world.environment, LOG_LEVEL: 'error', PORT: '0', HOMELEDGER_DATA_DIR: dataDir });
const unlimited = { ...config, rateRefillPerMinute: 1_000_000, rateBurst: 1_000_000 };
const link = createDemoLink(clock, systemRandom());
const random = seededRandom(SEED);
const app = await createApp(unlimited, {
  clock,
  random,
  workers: 0,
  demoLink: link,
  isQuiet: true,
  dashboard: { say: (line) => process.stdout.write(`${line}\n`) },
});
try {
  const address = await app.listen();
  const filled = await fillDemo({ app, config: unlimited, address }, world, {
    seed: SEED,
    transactions: TRANSACTIONS,
    onProgress: async () => undefined,
    overrides: { random },
  });
  await untilQuiet(address, filled.keys.read_only);
  await takeAll(address, filled);
} finally {
  await app.close();
  await world.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function takeAll(address: string, filled: FilledDemo): Promise<void> {
  const executablePath = process.env['CHROMIUM'] ?? PROGRAMS.find((path) => existsSync(path)) ?? '';
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    mkdirSync(FOLDER, { recursive: true });
    const page = await openAs(browser, `${address}/demo/${link.open()}`);
    const csv = await nextStatement(address, filled);
    for (const picture of pictures(csv)) await take(page, address, picture);
  } finally {
    await browser.close();
  }
}

async function openAs(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: WIDE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  await context.clock.setFixedTime(NOW);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

function pictures(csv: { name: string; text: string }): Picture[] {
  const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();
  const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
  const all: (Picture & { page?: string })[] = [
    { name: 'home', path: '/', show: text('Spent so far, against last month') },
    { name: 'transactions', path: '/transactions', show: (page) => page.getByRole('row').nth(9).waitFor() },
    { name: 'review', path: '/review', show: text('Rule too') },
    {
      name: 'import',
      path: '/imports',
      async show(page) {
        const buffer = Buffer.from(csv.text);
        await page.locator('input[type=file]').first().setInputFiles({ name: csv.name, mimeType: 'text/csv', buffer });
        await page
          .getByText(/adds? up/i)
          .first()
          .waitFor();
      },
    },
    { name: 'rules', page: '/rules', path: '/rules', show: text('Getting around Berlin') },
    { name: 'history', path: '/history', show: text('Rules changed') },
    { name: 'phone', path: '/review', viewport: PHONE, show: heading('Review') },
  ];
  const known = new Set<string>(PAGES.map(({ path }) => path));
  return all.filter(({ page }) => page === undefined || known.has(page));
}

async function take(page: Page, address: string, { name, path, viewport = WIDE, show }: Picture): Promise<void> {
  await page.setViewportSize(viewport);
  await page.goto(address + path);
  await show(page);
  await page.waitForLoadState('networkidle');
  // What is being drawn is drawn, and no cursor blinks.
  await page.evaluate('document.activeElement?.blur(); document.fonts.ready.then(() => undefined)');
  await page.evaluate('new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)))');
  const session = await page.context().newCDPSession(page);
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > MAX_BYTES) continue;
    writeFileSync(join(FOLDER, `${name}.webp`), bytes);
    process.stdout.write(`${name}.webp: ${(bytes.length / 1024).toFixed(1)} KiB, quality ${quality}\n`);
    return;
  }
  throw new Error(`The picture ${name} is larger than ${MAX_BYTES} bytes at every quality.`);
}

/** The first syncs are done, so that no picture shows one running. */
async function untilQuiet(address: string, key: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${address}/api/v1/sync/logs`, { headers: { 'x-api-key': key } });
    const { sync_logs: logs } = (await answer.json()) as { sync_logs: { trigger: string; status: string }[] };
    const done = logs.filter(({ trigger, status }) => trigger === 'initial' && status === 'success');
    if (done.length >= FIRST_SYNCS) return;
    await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS));
  }
}
