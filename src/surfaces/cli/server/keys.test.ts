import { expect, test } from 'vitest';

import { runCommand } from '../../../../test/harness/programs/command-line.ts';
import { listedKey } from './keys.ts';

const KEY = {
  id: '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10',
  short_id: 'k3Jd92Qa',
  name: 'Kitchen tablet',
  prefix: 'hl_JAanpjzM',
  scope: 'full_access',
  user_id: null,
  actor_type: 'user',
  actor_name: null,
  last_used_at: null,
  expires_at: '2027-01-01T00:00:00.000Z',
  revoked_at: null,
  created_at: '2026-03-01T09:30:00.000Z',
} as const;

test('a key is listed in one line, with its state', () => {
  expect(listedKey(KEY)).toBe('k3Jd92Qa  hl_JAanpjzM…  full_access  Kitchen tablet  expires 2027-01-01T00:00:00.000Z');
});

test('a device’s name moves no cursor, adds no line and reverses nothing in the terminal', () => {
  const name = 'Device: é 🔑\u001b[1A\u001b[2K\r\nk0000000\u009b2J\u202e';
  expect(listedKey({ ...KEY, name })).toContain('Device: é 🔑�[1A�[2K��k0000000�2J�  expires');
});

// Linux has the folder, which takes nothing whoever asks; elsewhere there is none, and nobody may make one.
test('a folder in which nothing can be made is named at once', async () => {
  for (const path of ['/proc/homeledger', '/proc/homeledger/data']) {
    const { code, out, err } = await runCommand('keys create --name Script', { HOMELEDGER_DATA_DIR: path });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`The data directory ${path} cannot be created or written to.`);
  }
});
