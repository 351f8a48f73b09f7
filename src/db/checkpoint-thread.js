import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

// JavaScript: a thread that lives for a moment should not load the compiler of types.
const database = new DatabaseSync(workerData);
const { log, checkpointed } = database.prepare('pragma wal_checkpoint(passive)').get() ?? {};
database.close();
parentPort?.postMessage(log === checkpointed);
