import { expect, test } from 'vitest';

import { runCommand } from '../../../../test/harness/programs/command-line.ts';
import { migrations } from '../../../db/migrations/index.ts';

test('version tells the program and, as JSON, also its schema, runtime and platform', async () => {
  expect(await runCommand('version', {})).toEqual({ code: 0, out: '0.1.0\n', err: '' });
  const { code, out } = await runCommand('version --json', {});
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    version: '0.1.0',
    schema_version: migrations.at(-1)?.version,
    runtime: expect.stringMatching(/^node 26\./),
    platform: expect.stringMatching(/^\w+-\w+$/),
  });
});
