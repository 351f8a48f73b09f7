import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { rotateEncryption } from '../../src/features/encryption/index.ts';
import { eventually } from '../harness/eventually.ts';
import { runProgram } from '../harness/programs/program.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';

const REPLACE = 'test/crash/replace-key.ts';
const KILLED = { code: null, signal: 'SIGKILL' };
const PROVIDERS = '/api/v1/settings/providers';
const PLAID = { client_id: '64f0a1b2c3d4e5f6a7b89f3c', secret: 'plaid-secret' };

const keyFile = (app: TestApp) => join(app.env['HOMELEDGER_DATA_DIR'] as string, 'encryption.key');
const isReadable = async (app: TestApp) => (await app.request('GET', PROVIDERS)).json.plaid.configured;

forEachDatabase((database) => {
  const isServer = database.name === 'PostgreSQL';

  describe('a rotation that is killed', () => {
    const points = ['rotation:both-keys', 'rotation:before-commit', 'rotation:committed', 'rotation:previous-kept'];
    // What differs between the databases is the commit.
    test.for(isServer ? points.slice(1, 3) : points)(
      'at %s leaves every secret readable, and can be repeated',
      async (point) => {
        const app = await database.open();
        await app.request('PUT', `${PROVIDERS}/plaid`, { body: PLAID });
        await app.close();
        const old = readFileSync(keyFile(app), 'utf8');
        expect(await runProgram([REPLACE, 'rotate', point], { env: app.env })).toMatchObject(KILLED);
        expect(readFileSync(keyFile(app), 'utf8').trim().split('\n')).toHaveLength(2);

        // A server database notices the death of a process a moment later.
        const next = await eventually(() => app.again());
        expect(await isReadable(next)).toBe(true);
        const isDone = ['rotation:committed', 'rotation:previous-kept'].includes(point);
        expect(readFileSync(keyFile(app), 'utf8') === old).toBe(!isDone);
        await rotateEncryption(next.app.instance, next.app.instance.random.bytes(32));
        await next.close();
        expect(await isReadable(await app.again())).toBe(true);
        expect(readFileSync(`${keyFile(app)}.previous`, 'utf8')).toContain(old);
        writeFileSync(keyFile(app), old);
        await expect(app.again()).rejects.toThrow('needs the encryption key');
      },
    );
  });

  if (isServer) return;
  describe('giving up a lost key', () => {
    test.for(['reset:key-at-hand', 'reset:before-commit'])(
      'that is killed at %s has changed nothing, and can be repeated',
      async (point) => {
        const app = await database.open();
        await app.request('PUT', `${PROVIDERS}/plaid`, { body: PLAID });
        await app.close();
        const old = readFileSync(keyFile(app), 'utf8');
        writeFileSync(keyFile(app), `${'ab'.repeat(32)}\n`);
        expect(await runProgram([REPLACE, 'reset', point], { env: app.env })).toMatchObject(KILLED);
        await expect(app.again()).rejects.toThrow('needs the encryption key');
        if (point === 'reset:key-at-hand') {
          writeFileSync(keyFile(app), old);
          expect(await isReadable(await app.again())).toBe(true);
        } else {
          expect(await runProgram([REPLACE, 'reset'], { env: app.env })).toMatchObject({ code: 0 });
          expect(await isReadable(await app.again())).toBe(false);
        }
      },
    );
  });
});
