import { readFileSync } from 'node:fs';

import type { SimulatedAnswer } from './simulator-server.ts';

/** A bank on the page that lets a person play with it. */
export interface ControlledBank {
  id: string;
  name: string;
  /** What is the case with it, in words. */
  state: string;
  actions: readonly ControlAction[];
}

export interface ControlAction {
  label: string;
  /** Calls of the control interface, one after the other. */
  calls: readonly { method: string; path: string; body?: object }[];
}

/** `GET /_control`: every bank of the simulator with buttons that make things happen at it. */
export function controlPage(banks: readonly ControlledBank[]): SimulatedAnswer {
  const script = readFileSync(new URL('browser/control-page.js', import.meta.url), 'utf8');
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";
  const none = '<p>No bank is prepared. <code>POST /_control/reset</code> with a world makes some.</p>';
  return {
    status: 200,
    headers: { 'content-security-policy': `${policy}; frame-ancestors 'none'`, 'cache-control': 'no-store' },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Simulated banks</title>
<style>
  body { font: 16px system-ui; max-width: 48rem; margin: 2rem auto; padding: 0 1rem }
  button { font: inherit; margin: 0 0.5rem 0.5rem 0; padding: 0.4rem 0.8rem }
</style>
<h1>Simulated banks</h1>
${banks.map(section).join('\n') || none}
<p role="status"></p>
<script>
${script}</script>
</html>
`,
  };
}

function section({ id, name, state, actions }: ControlledBank): string {
  const buttons = actions.map(
    ({ label, calls }) => `<button data-calls="${escaped(JSON.stringify(calls))}">${escaped(label)}</button>`,
  );
  return `<section aria-label="${escaped(name)}">
<h2>${escaped(name)}</h2>
<p><code>${escaped(id)}</code>: ${escaped(state)}</p>
${buttons.join('\n')}
</section>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
