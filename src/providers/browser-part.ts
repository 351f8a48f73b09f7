import type { ProviderEnvironment, ProviderVariables } from '../kernel/provider-variables.ts';

/** What a page needs to open the window of a bank (contract 35.4, 35.8). */
export interface BrowserPart {
  /** The provider's own script. */
  readonly scriptUrl: string;
  /** Hosts whose frames the page may show. */
  readonly frames: readonly string[];
  /** Hosts that the page may call. */
  readonly connections: readonly string[];
  /** Our script between the page and the provider's: it completes `bankWindow`. */
  readonly adapter: URL;
}

export interface BrowserSettings {
  readonly environment: ProviderEnvironment;
  readonly variables: ProviderVariables;
}

/** Undefined for a provider that opens no window in the browser. */
export async function browserPartOf(name: string, settings: BrowserSettings): Promise<BrowserPart | undefined> {
  if (name === 'plaid') return (await import('./plaid/plaid-browser.ts')).plaidInBrowser(settings);
  if (name === 'teller') return (await import('./teller/teller-browser.ts')).tellerInBrowser(settings);
  return undefined;
}
