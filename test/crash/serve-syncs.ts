import { flushCompileCache } from 'node:module';

import { createApp } from '../../src/app.ts';
import { processEnvironment, readConfig } from '../../src/kernel/config.ts';

/** Serves, and so runs the syncs that wait, in a process that dies at the named point. */
const [crashAt = '', workers = '0'] = process.argv.slice(2);
const app = await createApp(readConfig(processEnvironment()), { workers: Number(workers), crashAt });
await app.http();
// A killed process keeps no compiled code for the next one unless it does so before.
flushCompileCache();
await app.listen();
// A service leaves its first half second to the first requests.
app.instance.syncs().start();
app.instance.notifications().start();
