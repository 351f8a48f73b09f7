import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '3.2.3';
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache');
const PLACE = join(CACHE, `beancount-${VERSION}`);
/** For `beforeAll`: a machine without Beancount gets it then. */
export const INSTALL_MS = 300_000;
const run = promisify(execFile);

/** @throws where neither Beancount nor a way to install it is there */
export async function installBeancount(): Promise<void> {
  if (existsSync(PLACE)) return;
  await mkdir(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, 'beancount-'));
  try {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', unfinished];
    await run('python3', [...pip, `beancount==${VERSION}`]);
    if (!existsSync(PLACE)) renameSync(unfinished, PLACE);
  } catch (error) {
    throw new Error('Beancount could not be installed. These tests need python3 with pip, and its registry.', {
      cause: error,
    });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** What `bean-check` has to say of a book; empty if it accepts it. */
export async function beanCheck(book: string): Promise<string> {
  return python(book, ['-m', 'beancount.scripts.check', '--no-cache']);
}

/**
 * What Beancount adds up per account and currency: `Assets:Bank USD` → `12.34`. Of entries with equity, which stand for no
 * row, only the equity.
 */
export async function beanSums(book: string): Promise<Map<string, string>> {
  const sums = await python(book, ['-c', SUMS]);
  return new Map(
    sums.split('\n').flatMap((line) => {
      const [account, currency, number] = line.split(' ');
      return number === undefined ? [] : [[`${account} ${currency}`, number] as const];
    }),
  );
}

const SUMS = `
import sys, collections
from beancount import loader
from beancount.core import data
entries, errors, options = loader.load_file(sys.argv[1])
sums = collections.Counter()
for entry in entries:
    if isinstance(entry, data.Transaction):
        equity = [p for p in entry.postings if p.account.startswith('Equity:')]
        for posting in equity or entry.postings:
            sums[posting.account + ' ' + posting.units.currency] += posting.units.number
for name, number in sorted(sums.items()):
    print(name, number)
`;

async function python(book: string, command: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'homeledger-book-'));
  try {
    const file = join(folder, 'household.beancount');
    writeFileSync(file, book);
    const env = { ...process.env, PYTHONPATH: PLACE, PYTHONUTF8: '1' };
    return await run('python3', [...command, file], { env, maxBuffer: 64 * 1_048_576 }).then(
      ({ stdout, stderr }) => `${stdout}${stderr}`,
      (error: Error & { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}` || error.message,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether another program reads a zip file, and the texts in it by name. */
export function unzipped(bytes: Uint8Array): Map<string, string> {
  const read = `
import sys, io, json, zipfile
with zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())) as z:
    assert z.testzip() is None
    json.dump([[i.filename, z.read(i).decode('utf-8')] for i in z.infolist()], sys.stdout)
`;
  const text = execFileSync('python3', ['-c', read], { input: bytes, maxBuffer: 512 * 1_048_576 });
  return new Map(JSON.parse(String(text)) as [string, string][]);
}
