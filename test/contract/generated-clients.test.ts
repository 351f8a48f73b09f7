import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DOCUMENT, ROOT, run } from '../../tools/clients/client.ts';
import { heyApi, openapiFetch } from '../../tools/clients/typescript-clients.ts';
import { forEachDatabase } from '../harness/test-app.ts';
import { furnish } from './live-calls.ts';

const MINUTES = 60_000;
/** It asks nobody for a newer version, and tells nobody that it ran. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);

/**
 * `/connections/link/{id}` stands beside `/connections/{id}/sync`: `link` is no id, which has 8 or 36 characters. And
 * `/workflows/runs/{id}` beside `/workflows/{slug}/run`: no workflow can have the slug `runs`.
 */
const TOLD_APART = [
  '`/api/v1/connections/link/{id}` and `/api/v1/connections/{id}/',
  '`/api/v1/workflows/runs/{id}` and `/api/v1/workflows/{slug}/',
];

function isToldApart({ ruleId, message }: { ruleId: string; message: string }): boolean {
  return ruleId === 'no-ambiguous-paths' && TOLD_APART.some((paths) => message.includes(paths));
}

describe('openapi.json', () => {
  test(
    'passes redocly lint without a warning, but for paths that are told apart by a word',
    async () => {
      const output = await run(bin('redocly'), ['lint', DOCUMENT, '--format=json'], ROOT, QUIET);
      const { problems } = JSON.parse(output) as { problems: { ruleId: string; message: string }[] };
      expect(problems.filter((problem) => !isToldApart(problem))).toEqual([]);
    },
    2 * MINUTES,
  );

  test(
    'passes the rules of spectral without a warning',
    async () => {
      const rules = join(ROOT, 'tools/clients/spectral.yaml');
      const output = await run(bin('spectral'), ['lint', DOCUMENT, '-r', rules, '--fail-severity=warn'], ROOT);
      expect(output).toContain('No results with a severity of');
    },
    2 * MINUTES,
  );
});

forEachDatabase(
  (database) => {
    let directory: string;
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), 'homeledger-clients-'));
    });
    afterAll(() => rmSync(directory, { recursive: true, force: true }));

    test.each([openapiFetch, heyApi])(
      '$name makes a client that compiles, lists, patches and imports',
      async (client) => {
        const app = await database.open();
        await furnish(app);
        const server = await app.app.http();
        const url = await server.listen({ host: '127.0.0.1', port: 0 });
        const place = join(directory, client.version);
        await client.generate(place);
        await client.compile(place);
        const called = await client.call(place, { url, key: app.key });
        expect(called).toMatchObject({ list: 3, patch: expect.stringMatching(/^Patched by/) });
        expect(called.import).toBeGreaterThan(0);
      },
      3 * MINUTES,
    );
  },
  ['SQLite'],
);
