import { execFileSync } from 'node:child_process';

import { chromium, type Browser, type Page } from 'playwright-core';

import { CHROMIUM, CHROMIUM_FLAGS } from '../test/harness/browser/browser.ts';
import { below } from './budgets.ts';
import { withCopy } from './copy.ts';
import { environmentOf, type BenchLedger } from './ledgers.ts';
import type { BenchPostgres } from './postgres.ts';
import { startHomeledger } from './server.ts';
import { ms, type Note } from './table.ts';

const EMAIL = 'bench@home.example';
const PASSWORD = 'seven quiet lanterns';
const JUMPS = 10;
const KEYS = 20;
const ROWS_SCROLLED = 10_000;
const ROW_PX = 44;
const PX_A_FRAME = 600;
const SLOW_FRAME_MS = 50;
const PHONE_SLOWER = 4;
const LONGEST_MS = 30_000;
/** The pause in typing that the page waits for. */
const PAUSE_MS = 300;

/** The list of transactions in Chromium, as a person finds it: what is awaited is what is drawn. */
export async function web(ledger: BenchLedger, note: Note, postgres: BenchPostgres | null): Promise<void> {
  await withCopy(ledger, postgres, async (copy) => {
    const env = { ...process.env, ...environmentOf(copy) };
    const given = ['src/main.ts', 'users', 'create-admin', '--name', 'Bench', '--email', EMAIL, '--password-stdin'];
    execFileSync(process.execPath, given, { env, input: `${PASSWORD}\n`, stdio: ['pipe', 'ignore', 'inherit'] });
    execFileSync(process.execPath, ['tools/web/build.ts', '--if-needed'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const server = await startHomeledger(copy);
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [...CHROMIUM_FLAGS, '--enable-precise-memory-info'],
    });
    try {
      await measure(browser, `http://127.0.0.1:${server.port}`, note);
    } finally {
      await browser.close();
      await server.stop();
    }
  });
}

async function measure(browser: Browser, address: string, note: Note): Promise<void> {
  const page = await signIn(browser, address, 1280);
  const first = await rowsDrawn(page);
  note('web: /transactions, rows drawn', below(300, 'ms'), ms(first), first);
  const phone = await signIn(browser, address, 390);
  const slow = await phone.context().newCDPSession(phone);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: PHONE_SLOWER });
  const onPhone = await rowsDrawn(phone);
  note('web: the same on a phone', below(900, 'ms'), ms(onPhone), onPhone);
  await phone.context().close();
  const jump = await median(JUMPS, (at) => jumpTo(page, at));
  note('web: a month from the rail', below(300, 'ms'), ms(jump), jump);
  const frames = await scroll(page);
  const worst = Math.max(...frames);
  const many = frames.filter((frame) => frame > SLOW_FRAME_MS).length;
  note(
    'web: worst frame of 10,000 rows',
    below(SLOW_FRAME_MS, 'ms'),
    `${ms(worst)}, ${many} of ${frames.length} slower`,
    worst,
  );
  const key = await keyToPaint(page);
  note('web: key to paint', below(100, 'ms'), ms(key), key);
  const search = await median(3, (at) => searchFor(page, ['rewe', 'safeway', 'coffee'][at] as string));
  note('web: a search drawn, after the pause', below(250, 'ms'), ms(search), search);
  const heap = await page.evaluate<number>('performance.memory.usedJSHeapSize / 1048576');
  note('web: heap', below(120, 'MiB'), `${heap.toFixed(0)} MiB`, heap);
}

/** Signed in, and on a page with few data: the shell is there. */
async function signIn(browser: Browser, address: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  const body = { identifier: EMAIL, password: PASSWORD, remember: true };
  await context.request.post(`${address}/auth/login`, { headers: { origin: address }, data: body });
  const page = await context.newPage();
  await page.goto(`${address}/help`);
  await page.waitForLoadState('networkidle');
  return page;
}

/** From an act until something is drawn, by the clock of the page, in milliseconds; `LONGEST_MS` if it never is. */
function drawn(page: Page, act: string, isThere: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const start = performance.now();
    ${act};
    const look = () => {
      const took = performance.now() - start;
      if (took > ${LONGEST_MS} || (${isThere})) resolve(took);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);
}

function rowsDrawn(page: Page): Promise<number> {
  return drawn(
    page,
    `document.querySelector('a[href="/transactions"]').click()`,
    `document.querySelector('[data-grid-row]')`,
  );
}

async function jumpTo(page: Page, at: number): Promise<number> {
  await page.locator('nav[aria-label="Months"] a').first().waitFor();
  return drawn(
    page,
    `const links = [...document.querySelectorAll('nav[aria-label="Months"] a')];
     const link = links[Math.floor((${at} + 0.5) * links.length / ${JUMPS})];
     const month = 'month-' + link.getAttribute('href').slice(1);
     link.click()`,
    `document.getElementById(month).closest('section').querySelector('[data-grid-row]')`,
  );
}

function scroll(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    scrollTo(0, 0);
    const frames = [];
    let last = performance.now();
    let left = ${Math.ceil((ROWS_SCROLLED * ROW_PX) / PX_A_FRAME)};
    const step = (now) => {
      frames.push(now - last);
      last = now;
      scrollBy(0, ${PX_A_FRAME});
      if (--left > 0) requestAnimationFrame(step); else resolve(frames.slice(2));
    };
    requestAnimationFrame(step);
  })`);
}

/** The slowest of some keys by the browser's own measure. */
async function keyToPaint(page: Page): Promise<number> {
  await page.evaluate(`scrollTo(0, 0);
    globalThis.keys = [];
    new PerformanceObserver((list) => globalThis.keys.push(...list.getEntries().filter((e) => e.name === 'keydown').map((e) => e.duration)))
      .observe({ type: 'event', durationThreshold: 16 })`);
  for (let key = 0; key < KEYS; key++) await page.keyboard.press('j');
  await page.keyboard.press('c');
  await page.keyboard.type('groc');
  await page.keyboard.press('Escape');
  await page.evaluate('new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)))');
  return page.evaluate<number>('Math.max(16, ...globalThis.keys)');
}

async function searchFor(page: Page, text: string): Promise<number> {
  const before = await page.locator('[data-grid-row]').first().getAttribute('data-grid-row');
  await page.locator('main input[type=search]').fill('');
  await page.locator('main input[type=search]').fill(text);
  const took = await drawn(
    page,
    '',
    `location.search.includes(${JSON.stringify(text)}) && !document.querySelector('main [aria-busy=true]') && document.querySelector('[data-grid-row]')?.getAttribute('data-grid-row') !== ${JSON.stringify(before)}`,
  );
  return Math.max(0, took - PAUSE_MS);
}

async function median(times: number, run: (at: number) => Promise<number>): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < times; at++) took.push(await run(at));
  return took.toSorted((a, b) => a - b)[Math.floor(times / 2)] as number;
}
