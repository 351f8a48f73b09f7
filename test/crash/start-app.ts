import { createApp } from '../../src/app.ts';
import { processEnvironment, readConfig } from '../../src/kernel/config.ts';

/** Starts the service without a listener and stops it again; dies on the way at the point named by argument. */
const app = await createApp(readConfig(processEnvironment()), { workers: 0, crashAt: process.argv[2] ?? '' });
await app.close();
