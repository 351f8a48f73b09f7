import { flushCompileCache } from 'node:module';

import { createApp } from '../../src/app.ts';
import { processEnvironment, readConfig } from '../../src/kernel/config.ts';
import { LIMITS } from '../../src/kernel/limits.ts';

/** Runs all rules, some rows at a time, in a process that dies when it comes to the named point for the nth time. */
const [point = '', times = '1', workers = '0', key = '', rows = '10'] = process.argv.slice(2);
const inThread = Number(workers) > 0;
const app = await createApp(readConfig(processEnvironment()), {
  workers: Number(workers),
  crashAt: inThread ? point : '',
});
if (!inThread) {
  Object.assign(LIMITS, { ruleChunkRows: Number(rows) });
  let met = 0;
  app.instance.failpoint = (name) => {
    if (name === point) met += 1;
    if (met === Number(times)) process.kill(process.pid, 'SIGKILL');
  };
}
const server = await app.http();
// A killed process keeps no compiled code for the next one unless it does so before.
flushCompileCache();
const answer = await server.inject({
  method: 'POST',
  url: '/api/v1/rules/apply-all',
  headers: { 'x-api-key': key, 'content-type': 'application/json' },
  payload: '{}',
});
process.stdout.write(`${answer.statusCode} ${answer.body}\n`);
await app.close();
