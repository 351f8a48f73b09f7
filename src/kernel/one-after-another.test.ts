import { expect, test } from 'vitest';

import { oneAfterAnother } from './one-after-another.ts';

test('a step starts when the one before it is done, and the caller goes on meanwhile', async () => {
  const queue = oneAfterAnother();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  await queue.next(async () => {
    seen.push('first starts');
    await first.promise;
    seen.push('first ends');
  });
  seen.push('caller goes on');
  const second = queue.next(async () => {
    seen.push('second');
  });
  first.resolve();
  await second;
  await queue.settled();
  expect(seen).toEqual(['first starts', 'caller goes on', 'first ends', 'second']);
});

test('a failed step is the error of whatever comes next, and no step follows it', async () => {
  const queue = oneAfterAnother();
  let isRun = false;
  await queue.next(() => Promise.reject(new Error('disk full')));
  await expect(queue.unlessFailed(Promise.reject(new Error('transaction aborted')))).rejects.toThrow('disk full');
  const next = queue.next(async () => {
    isRun = true;
  });
  await expect(next).rejects.toThrow('disk full');
  await expect(queue.settled()).rejects.toThrow('disk full');
  expect(isRun).toBe(false);
});

test('what fails beside a step that succeeds fails by itself', async () => {
  const queue = oneAfterAnother();
  await queue.next(() => Promise.resolve());
  await expect(queue.unlessFailed(Promise.reject(new Error('no effect')))).rejects.toThrow('no effect');
  expect(await queue.unlessFailed(Promise.resolve(4))).toBe(4);
});
