import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';

import { Interrupted } from '../exit.ts';
import { ask, confirm } from './ask.ts';

/** A terminal that `keys` come from. Returns what it shows. */
function terminal(keys: string, { isShown = true } = {}): () => string {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const [stdin, isTTY] = [process.stdin, process.stderr.isTTY];
  let shown = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown += String(text);
    return true;
  });
  Object.defineProperty(process, 'stdin', { value: input, configurable: true });
  process.stderr.isTTY = isShown;
  onTestFinished(() => {
    spy.mockRestore();
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    process.stderr.isTTY = isTTY;
  });
  void setImmediate().then(() => input.write(keys));
  // What only moves the cursor is no line.
  // oxlint-disable-next-line no-control-regex
  return () => shown.replaceAll(/\u001b\[\d*[A-Za-z]/g, '');
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

test('what follows an answer, or none, begins a line of its own', async () => {
  for (const keys of [CTRL_C, CTRL_D]) {
    for (const isHidden of [false, true]) {
      const shown = terminal(keys);
      await expect(ask('Name: ', { isHidden })).rejects.toThrow(Interrupted);
      expect(shown()).toBe('Name: \n');
    }
  }
  const shown = terminal('secret\r');
  expect(await ask('Password: ', { isHidden: true })).toBe('secret');
  expect(shown()).toBe('Password: \n');
});

test('nobody is asked to confirm what they cannot see', async () => {
  const shown = terminal('y\r');
  expect(await confirm('Revoke it? ')).toBe(true);
  expect(shown()).toContain('Revoke it? ');
  const unseen = terminal('y\r', { isShown: false });
  expect(await confirm('Revoke it? ')).toBe(false);
  expect(unseen()).toBe('');
});
