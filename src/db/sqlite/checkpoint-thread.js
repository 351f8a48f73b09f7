import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// JavaScript: a thread that lives for a moment should not load the compiler of types.
const { path, opened } = workerData;
const url = pathToFileURL(path);
url.searchParams.set('mode', 'rw');

/** A log copied into another database than its own would destroy that one. */
function isInPlace() {
  return [
    [path, opened.database],
    [`${path}-wal`, opened.log],
    [`${path}-shm`, opened.logIndex],
  ].every(([name, { device, inode }]) => {
    const found = statSync(name, { bigint: true, throwIfNoEntry: false });
    return found?.ino === inode && found.dev === device;
  });
}

if (isInPlace()) {
  const database = new DatabaseSync(url);
  if (isInPlace()) {
    const { busy, log, checkpointed } = database.prepare('pragma wal_checkpoint(passive)').get() ?? {};
    // Beside another copy it does nothing, and both counts are -1.
    parentPort?.postMessage(busy === 0 && log === checkpointed);
  }
  database.close();
}
