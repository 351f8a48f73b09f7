import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

// JavaScript for the reason in checkpoint-thread.js. Table by table, so that a stop does not wait for all of them.
const { path, isFull, stopped } = workerData;
const DAMAGE = [11, 26];
const LOW_PRIORITY = 10;
/** A page is read once. What the thread takes stays in the heap of the process: 2 MiB more with the default cache. */
const CACHE_KIB = 256;
const check = isFull ? 'integrity_check' : 'quick_check';

/** What is wrong with the database, in SQLite's words. */
function finding() {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.exec(`pragma cache_size = -${CACHE_KIB}`);
    const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).all();
    for (const { name } of tables) {
      if (Atomics.load(stopped, 0) === 1) return undefined;
      const [first] = database.prepare(`pragma ${check}("${String(name)}")`).all();
      const text = Object.values(first ?? {})[0];
      if (text !== undefined && text !== 'ok') return text;
    }
    return undefined;
  } catch (error) {
    if (DAMAGE.includes(error.errcode & 0xff)) return error.message;
    throw error;
  } finally {
    database.close();
  }
}

try {
  // Of this thread alone, on Linux; elsewhere it would be that of the process.
  if (process.platform === 'linux') setPriority(LOW_PRIORITY);
} catch {
  // Not allowed: it takes its share.
}
const found = finding();
if (found !== undefined) parentPort?.postMessage(found);
