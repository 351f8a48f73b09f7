import { expect, onTestFinished, test } from 'vitest';

import { stopSignal } from './stopping.ts';

test('the end of the terminal asks to stop; without a terminal, as under nohup, nobody listens for it', () => {
  const { isTTY } = process.stdin;
  const before = process.listenerCount('SIGHUP');
  onTestFinished(() => {
    process.stdin.isTTY = isTTY;
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.removeAllListeners(signal);
  });
  process.stdin.isTTY = false;
  expect(stopSignal().isAsked()).toBe(false);
  expect(process.listenerCount('SIGHUP')).toBe(before);
  process.stdin.isTTY = true;
  const stop = stopSignal();
  process.emit('SIGHUP');
  expect(stop.isAsked()).toBe(true);
});
