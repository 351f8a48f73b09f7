import { flushCompileCache } from 'node:module';

import { createApp } from '../../src/app.ts';
import { processEnvironment, readConfig } from '../../src/kernel/config.ts';

/** Sends one request with an idempotency key, in a process that dies at the named point; prints the answer otherwise. */
const [crashAt = '', workers = '0', key = '', idempotencyKey = '', path = '', payload = '{}'] = process.argv.slice(2);
const app = await createApp(readConfig(processEnvironment()), { workers: Number(workers), crashAt });
const server = await app.http();
// A killed process keeps no compiled code for the next one unless it does so before.
flushCompileCache();
const answer = await server.inject({
  method: 'POST',
  url: path,
  headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' },
  payload,
});
process.stdout.write(`${answer.statusCode} ${answer.body}\n`);
await app.close();
