import { flushCompileCache } from 'node:module';

import { createApp } from '../../src/app.ts';
import { processEnvironment, readConfig } from '../../src/kernel/config.ts';
import { scriptedModel } from '../harness/workflows/scripted-model.ts';

/**
 * Serves, and so works on the runs that wait, in a process that dies at the named point: `model:asked <n>` when the
 * model is asked for the nth time. Its model calls the tool with the arguments, again and again.
 */
const [point = '', tool = '', args = '{}'] = process.argv.slice(2);
const usage = { input: 100, output: 10, cacheRead: 0, cacheCreation: 0 };
const diesAt = Number(/^model:asked (\d+)$/.exec(point)?.[1] ?? Infinity);
const model = scriptedModel(async () => {
  if (model.requests.length === diesAt) process.kill(process.pid, 'SIGKILL');
  const input = JSON.parse(args.replaceAll('<n>', String(model.requests.length))) as unknown;
  return { text: '', toolCalls: [{ id: 'one', tool, input }], usage, finish: 'tool-calls', raw: null };
});
const app = await createApp(readConfig(processEnvironment()), {
  workers: 0,
  crashAt: point,
  standInModel: () => model,
});
await app.http();
// A killed process keeps no compiled code for the next one unless it does so before.
flushCompileCache();
await app.listen();
// A service leaves its first half second to the first requests.
app.instance.runs().start();
