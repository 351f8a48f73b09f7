import { createClient } from '../../src/contract/client.ts';
import { getHealth } from '../../src/features/health/health.contract.ts';
import { createStore } from '../lib/store.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Whether the server answers. While it does not, it is asked again with growing pauses. */
export const isConnected = createStore(true);

let pauseMs = FIRST_PAUSE_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A request got no answer. */
export function noteLostConnection(): void {
  if (!isConnected.get()) return;
  isConnected.set(false);
  pauseMs = FIRST_PAUSE_MS;
  timer = setTimeout(askServer, pauseMs);
}

/** Asks now whether the server is back. */
export function askServer(): void {
  clearTimeout(timer);
  createClient({ baseUrl: location.origin })
    .call(getHealth, {})
    .then(
      () => isConnected.set(true),
      () => {
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        timer = setTimeout(askServer, pauseMs);
      },
    );
}

window.addEventListener('online', () => {
  if (!isConnected.get()) askServer();
});
