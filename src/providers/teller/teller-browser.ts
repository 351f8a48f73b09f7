import type { BrowserPart, BrowserSettings } from '../browser-part.ts';

const SCRIPT = 'https://cdn.teller.io/connect/connect.js';
const HOSTS = ['https://teller.io', 'https://*.teller.io'];

/** Teller Connect, the window in which people choose their bank. */
export function tellerInBrowser({ variables }: BrowserSettings): BrowserPart {
  const { connectScriptUrl } = variables.teller;
  const hosts = connectScriptUrl === null ? HOSTS : [new URL(connectScriptUrl).origin];
  return {
    scriptUrl: connectScriptUrl ?? SCRIPT,
    frames: hosts,
    connections: hosts,
    adapter: new URL('./teller-window.js', import.meta.url),
  };
}
