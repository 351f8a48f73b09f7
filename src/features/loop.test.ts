import { describe, expect, onTestFinished, test } from 'vitest';

import { AppError } from '../kernel/errors.ts';
import { createLogger } from '../kernel/logger.ts';
import { createLoop, type Loop } from './loop.ts';

const NEVER_MS = 3_600_000;

interface Watched {
  loop: Loop;
  /** Ends the look in progress. */
  endLook: (error?: Error) => Promise<void>;
  looks: () => number;
  logs: { level: number; msg: string }[];
}

/** A loop whose looks last until the test ends them. */
async function watch(beat?: () => Promise<void>): Promise<Watched> {
  const logs: Watched['logs'] = [];
  const write = (line: string): void => void logs.push(JSON.parse(line) as Watched['logs'][number]);
  const open: PromiseWithResolvers<void>[] = [];
  let looks = 0;
  const loop = createLoop({
    logger: await createLogger({ level: 'debug', format: 'json', destination: { write } }),
    async look() {
      looks += 1;
      const held = Promise.withResolvers<void>();
      open.push(held);
      await held.promise;
    },
    ...(beat && { beat }),
    beatMs: NEVER_MS,
    failure: 'The look failed.',
  });
  onTestFinished(async () => {
    const stopped = loop.stop();
    for (const held of open) held.resolve();
    await stopped;
  });
  async function endLook(error?: Error): Promise<void> {
    const held = open.shift();
    if (error) held?.reject(error);
    else held?.resolve();
    await new Promise(setImmediate);
  }
  return { loop, endLook, looks: () => looks, logs };
}

describe('a loop', () => {
  test('looks again for all who ask during a look, once', async () => {
    const { loop, endLook, looks } = await watch();
    const first = loop.look();
    let isSecondServed = false;
    const second = Promise.all([loop.look(), loop.look()]).then(() => (isSecondServed = true));
    await endLook();
    await first;
    expect([looks(), isSecondServed]).toEqual([2, false]);
    await endLook();
    await second;
    expect(looks()).toBe(2);
  });

  test('does nothing when it is woken before its start, and looks at once after it', async () => {
    const { loop, endLook, looks } = await watch();
    loop.wake();
    expect(looks()).toBe(0);
    loop.start();
    await endLook();
    loop.wake();
    expect(looks()).toBe(2);
  });

  test('reports what went wrong, quietly while the database is away, and goes on', async () => {
    const { loop, endLook, looks, logs } = await watch();
    loop.start();
    await endLook(new Error('broken'));
    loop.wake();
    await endLook(new AppError('UNAVAILABLE', 'The database cannot be reached.'));
    loop.wake();
    expect(looks()).toBe(3);
    const [error, debug] = [50, 20];
    expect(logs.map(({ level, msg }) => [level, msg])).toEqual([
      [error, 'The look failed.'],
      [debug, 'The look failed.'],
    ]);
  });

  test('beats with its own work where it has some', async () => {
    let beats = 0;
    const { loop, looks } = await watch(async () => void (beats += 1));
    loop.start();
    expect([beats, looks()]).toEqual([1, 0]);
  });

  test('ends after the look in progress, and looks no more', async () => {
    const { loop, endLook, looks } = await watch();
    loop.start();
    loop.wake();
    let isStopped = false;
    const stopped = loop.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    await endLook();
    await stopped;
    loop.wake();
    await loop.look();
    expect(looks()).toBe(1);
  });
});
