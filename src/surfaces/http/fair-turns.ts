import { setImmediate } from 'node:timers/promises';

const REQUESTS_IN_A_TURN = 50;

/**
 * Lets a request continue at once, unless many have begun in the same turn of the event loop: one connection can bring
 * two thousand in a single packet, and all other requests would wait for them.
 */
export function createFairTurns(): () => Promise<void> {
  let begun = 0;
  let turn: Promise<void> | undefined;

  async function nextTurn(): Promise<void> {
    await setImmediate();
    begun = 0;
    turn = undefined;
  }
  return async () => {
    while (begun >= REQUESTS_IN_A_TURN) await turn;
    turn ??= nextTurn();
    begun += 1;
  };
}
