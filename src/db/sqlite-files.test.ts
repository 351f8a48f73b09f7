import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryDirectory } from '../../test/harness/databases.ts';
import { keepPrivate } from './sqlite-files.ts';

test('rights are set where they can be, and a volume without them stops nothing', () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'file');
  writeFileSync(file, '', { mode: 0o644 });
  expect([keepPrivate(file, 0o600), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
  for (const code of ['EPERM', 'ENOTSUP', 'EROFS']) {
    const refuse = (): never => {
      throw Object.assign(new Error('refused'), { code });
    };
    expect(keepPrivate(file, 0o600, refuse)).toBe(false);
  }
  expect(() => keepPrivate(join(directory.path, 'none'), 0o600)).toThrow('ENOENT');
});
