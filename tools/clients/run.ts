import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Client, Server } from './client.ts';
import { startServer } from './server.ts';
import { goClient, javaClient, pythonClient } from './other-clients.ts';
import { heyApi, openapiFetch } from './typescript-clients.ts';

/**
 * `node tools/clients/run.ts [name…]`: makes a client with each generator from `openapi.json`, compiles it, and lists,
 * patches and imports with it at the demo. Python, Go and Java are needed for theirs.
 */

const CLIENTS: Readonly<Record<string, Client>> = {
  'openapi-fetch': openapiFetch,
  'hey-api': heyApi,
  python: pythonClient,
  go: goClient,
  java: javaClient,
};
const STEPS = ['generate', 'compile', 'list', 'patch', 'import'] as const;
type Row = Record<(typeof STEPS)[number], string>;

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CLIENTS);
const unknown = names.find((name) => CLIENTS[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no client ${unknown}. Choose from: ${Object.keys(CLIENTS).join(', ')}.\n`);
  process.exit(2);
}
const directory = mkdtempSync(join(tmpdir(), 'homeledger-clients-'));
const { server, stop } = await startServer();
const rows: string[] = [];
try {
  for (const name of names) {
    const client = CLIENTS[name] as Client;
    const row = await tryOut(client, join(directory, name), server);
    rows.push(`| ${client.name} | ${client.version} | ${STEPS.map((step) => row[step]).join(' | ')} |`);
    if (STEPS.some((step) => row[step] !== 'ok')) process.exitCode = 1;
  }
} finally {
  stop();
  rmSync(directory, { recursive: true, force: true });
}
process.stdout.write(
  `| Client | Version | ${STEPS.join(' | ')} |\n|---|---|${'---|'.repeat(STEPS.length)}\n${rows.join('\n')}\n`,
);

async function tryOut(client: Client, place: string, at: Server): Promise<Row> {
  const row: Row = { generate: '–', compile: '–', list: '–', patch: '–', import: '–' };
  mkdirSync(place);
  try {
    await step(row, 'generate', () => client.generate(place));
    await step(row, 'compile', () => client.compile(place));
    const called = await client.call(place, at);
    row.list = called.list === 3 ? 'ok' : `listed ${called.list}`;
    row.patch = called.patch.startsWith('Patched by') ? 'ok' : `is ${called.patch}`;
    row.import = called.import > 0 ? 'ok' : 'nothing';
  } catch (error) {
    process.stderr.write(`${client.name}: ${(error as Error).message}\n`);
  }
  return row;
}

async function step(row: Row, name: (typeof STEPS)[number], work: () => Promise<void>): Promise<void> {
  row[name] = 'failed';
  await work();
  row[name] = 'ok';
}
