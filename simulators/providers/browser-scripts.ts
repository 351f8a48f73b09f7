import { readFileSync } from 'node:fs';

import type { SimulatedAnswer, SimulatedRequest } from './simulator-server.ts';

const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
};

interface BrowserPaths {
  scriptPath: string;
  script: 'plaid' | 'teller';
  /** Where the window that the script draws asks. */
  windowPath: string;
}

/** The script that a page loads, and what its window asks for; undefined for every other request. */
export function answerScript(
  { method, path }: SimulatedRequest,
  { scriptPath, script, windowPath }: BrowserPaths,
  answerWindow: () => SimulatedAnswer,
): SimulatedAnswer | undefined {
  if (path === scriptPath && method === 'GET') {
    const headers = { ...OPEN_TO_ALL, 'content-type': 'text/javascript; charset=utf-8' };
    return { status: 200, headers, body: scriptText(script, windowPath) };
  }
  if (path !== windowPath) return undefined;
  if (method === 'OPTIONS') return { status: 204, headers: OPEN_TO_ALL };
  const answer = answerWindow();
  return { ...answer, headers: { ...OPEN_TO_ALL, ...answer.headers } };
}

/** Both scripts draw the same window. Each part is closed in itself, so that a page may load both scripts. */
function scriptText(name: BrowserPaths['script'], windowPath: string): string {
  const parts = ['window', name].map((file) => readFileSync(new URL(`browser/${file}.js`, import.meta.url), 'utf8'));
  const path = `globalThis.simulatedBank = { path: ${JSON.stringify(windowPath)} };`;
  return [path, ...parts.map((part) => `(() => {\n'use strict';\n${part}})();`)].join('\n');
}
