import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DOCUMENT, run } from './client.ts';
import { startServer } from './server.ts';

/**
 * `node tools/clients/schemathesis.ts [option of schemathesis…]`: sends what the document allows, and what it does not,
 * to the demo; with DATABASE_URL to an empty service on that PostgreSQL database. Python is needed.
 */

const VERSION = '4.32.5';
const directory = mkdtempSync(join(tmpdir(), 'homeledger-schemathesis-'));
const { server, stop } = await startServer(process.env['DATABASE_URL']);
try {
  await run('python3', ['-m', 'venv', 'venv'], directory);
  const wanted = ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`];
  await run('venv/bin/pip', wanted, directory);
  const settings = join(import.meta.dirname, 'schemathesis.toml');
  // Left alone is what would take away or expire the key that everything else is called with.
  const others = ['--exclude-operation-id', 'revokeApiKey', '--exclude-operation-id', 'updateApiKey'];
  const key = ['-H', `X-API-Key: ${server.key}`];
  const args = [
    '--config-file',
    settings,
    'run',
    DOCUMENT,
    '--url',
    server.url,
    ...key,
    ...others,
    '--request-timeout',
    '60',
  ];
  const child = spawn(join(directory, 'venv/bin/schemathesis'), [...args, ...process.argv.slice(2)], {
    cwd: directory,
    stdio: 'inherit',
  });
  process.exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
} finally {
  stop();
  rmSync(directory, { recursive: true, force: true });
}
