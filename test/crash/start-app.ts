import { flushCompileCache } from 'node:module';

import { createApp } from '../../src/app.ts';
import { processEnvironment, readConfig } from '../../src/kernel/config.ts';

/** Starts the service without a listener and stops it again; dies on the way at the point named by argument. */
// A killed process keeps no compiled code for the next one unless it does so before.
flushCompileCache();
const app = await createApp(readConfig(processEnvironment()), { workers: 0, crashAt: process.argv[2] ?? '' });
await app.close();
