import type { ProviderEnvironment } from '../../kernel/provider-variables.ts';
import type { BrowserPart, BrowserSettings } from '../browser-part.ts';

const SCRIPT = 'https://cdn.plaid.com/link/v2/stable/link-initialize.js';

const BASES: Readonly<Record<ProviderEnvironment, string>> = {
  sandbox: 'https://sandbox.plaid.com',
  development: 'https://sandbox.plaid.com',
  production: 'https://production.plaid.com',
};

/** Plaid Link, the window in which people choose their bank. */
export function plaidInBrowser({ environment, variables }: BrowserSettings): BrowserPart {
  const { linkScriptUrl, baseUrl } = variables.plaid;
  const scriptUrl = linkScriptUrl ?? SCRIPT;
  return {
    scriptUrl,
    frames: [new URL(scriptUrl).origin],
    connections: [new URL(baseUrl ?? BASES[environment]).origin],
    adapter: new URL('./plaid-window.js', import.meta.url),
  };
}
