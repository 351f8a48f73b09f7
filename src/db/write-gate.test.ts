import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { expect, test } from 'vitest';

import { createWriteGate } from './write-gate.ts';

test('lets one in at a time, in order of arrival', async () => {
  const gate = createWriteGate();
  const log: string[] = [];
  const write = async (name: string): Promise<void> => {
    const leave = await gate.enter();
    log.push(`${name} in`);
    await Promise.resolve();
    log.push(`${name} out`);
    leave();
  };
  await Promise.all(['a', 'b', 'c'].map(write));
  expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

test('the turn of a dead owner goes to the next, and those it still wanted are dropped', async () => {
  const gate = createWriteGate();
  const [dead, alive] = [{}, {}];
  const admitted: string[] = [];
  const enter = (name: string, owner: object) =>
    gate.enterFor(owner).then((leave) => {
      admitted.push(name);
      return leave;
    });
  await enter('dead, inside', dead);
  void enter('dead, waiting', dead);
  const next = enter('alive', alive);
  gate.forget(dead);
  const leave = await next;
  expect(admitted).toEqual(['dead, inside', 'alive']);
  const last = enter('last', alive);
  leave();
  await last;
  expect(admitted).toEqual(['dead, inside', 'alive', 'last']);
});

test('a turn given back twice, or after its owner was forgotten, lets nobody else in', async () => {
  const gate = createWriteGate();
  const first = await gate.enterFor('a');
  const waiting = [gate.enterFor('b'), gate.enterFor('c')];
  first();
  first();
  const second = await (waiting[0] as Promise<() => void>);
  let isThirdInside = false;
  const third = async (): Promise<void> => {
    await waiting[1];
    isThirdInside = true;
  };
  void third();
  first();
  gate.forget('a');
  await Promise.resolve();
  expect(isThirdInside).toBe(false);
  second();
  await waiting[1];
  expect(isThirdInside).toBe(true);
});

test('whoever dies whenever, there is never more than one inside and nobody alive waits for ever', async () => {
  const step = constantFrom('a enters', 'b enters', 'leaves', 'a dies', 'b dies');
  await assert(
    asyncProperty(array(step, { maxLength: 40 }), async (steps) => {
      const gate = createWriteGate();
      let inside: { owner: string; leave: () => void }[] = [];
      let waiting: string[] = [];
      const enter = async (owner: string): Promise<void> => {
        waiting.push(owner);
        const leave = await gate.enterFor(owner);
        waiting.splice(waiting.indexOf(owner), 1);
        inside.push({ owner, leave });
      };
      for (const one of steps) {
        const owner = one[0] as string;
        if (one === 'leaves') inside.shift()?.leave();
        else if (one.endsWith('enters')) void enter(owner);
        else {
          gate.forget(owner);
          inside = inside.filter((turn) => turn.owner !== owner);
          waiting = waiting.filter((name) => name !== owner);
        }
        await Promise.resolve();
        await Promise.resolve();
        expect(inside.length).toBeLessThanOrEqual(1);
        if (waiting.length > 0) expect(inside).toHaveLength(1);
      }
    }),
  );
});
