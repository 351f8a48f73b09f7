import type { Argon2Parameters } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { LIMITS } from './limits.ts';
import { createPasswords } from './passwords.ts';
import { seededRandom, systemRandom } from './random.ts';

const CHEAP = { memoryKib: 8, passes: 1, lanes: 1 };
const PASSWORD = 'a long password';

test('a password costs 64 MiB, 3 passes and 4 lanes, and only the right one matches its hash', async () => {
  const passwords = createPasswords(systemRandom());
  const hash = await passwords.hash('paﬀword of Ana');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=4\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwords.matches('paffword of Ana', hash)).toBe(true);
  expect(passwords.isOutdated(hash)).toBe(false);
});

test('a hash made at another cost still matches, and is outdated', async () => {
  const before = createPasswords(seededRandom(1), { cost: CHEAP });
  const now = createPasswords(seededRandom(2), { cost: { ...CHEAP, passes: 2 } });
  const hash = await before.hash(PASSWORD);
  expect(await before.hash(PASSWORD)).not.toBe(hash);
  expect([await now.matches(PASSWORD, hash), await now.matches('another password', hash)]).toEqual([true, false]);
  expect([before.isOutdated(hash), now.isOutdated(hash)]).toEqual([false, true]);
});

test('what is no hash matches nothing, at the same cost', async () => {
  const costs: Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism' | 'tagLength'>[] = [];
  const passwords = createPasswords(seededRandom(1), {
    cost: CHEAP,
    compute: async ({ memory, passes, parallelism, tagLength }) => {
      costs.push({ memory, passes, parallelism, tagLength });
      return new Uint8Array(tagLength);
    },
  });
  for (const stored of [null, '', 'plain text', '$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA']) {
    expect(await passwords.matches(PASSWORD, stored)).toBe(false);
  }
  const hash = await passwords.hash(PASSWORD);
  expect(await passwords.matches(PASSWORD, hash)).toBe(true);
  expect(costs).toEqual(Array.from({ length: 6 }, () => ({ memory: 8, passes: 1, parallelism: 1, tagLength: 32 })));
});

test('two passwords are hashed at once, 64 wait, and more are refused until there is room', async () => {
  const ends: (() => void)[] = [];
  let [running, most, started] = [0, 0, 0];
  const passwords = createPasswords(seededRandom(1), {
    cost: CHEAP,
    async compute({ tagLength }) {
      running += 1;
      const isBroken = (started += 1) % 3 === 0;
      most = Math.max(most, running);
      await new Promise<void>((end) => ends.push(end));
      running -= 1;
      if (isBroken) throw new Error('failed');
      return new Uint8Array(tagLength);
    },
  });
  const room = LIMITS.passwordsHashedAtOnce + LIMITS.passwordsWaiting;
  expect(room).toBe(66);
  const accepted = Array.from({ length: room }, () => passwords.hash(PASSWORD).catch(() => 'failed'));
  const refused = await passwords.hash(PASSWORD).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'UNAVAILABLE', extra: { headers: { 'retry-after': '1' } } });
  let done = 0;
  for (const one of accepted) void one.then(() => (done += 1));
  while (done < room) {
    for (const end of ends.splice(0)) end();
    await setImmediate();
  }
  expect([most, running]).toEqual([2, 0]);
  started = 0;
  const later = passwords.hash(PASSWORD);
  while (ends.length === 0) await setImmediate();
  ends.shift()?.();
  expect(await later).toContain('$argon2id$');
});
