import type { PlaidSettings } from './plaid/plaid-provider.ts';
import type { Outside, Provider } from './provider.ts';
import type { TellerSettings } from './teller/teller-provider.ts';

/** The settings of one built-in provider. */
export type ProviderSettings =
  | ({ readonly name: 'plaid' } & PlaidSettings)
  | ({ readonly name: 'teller' } & TellerSettings);

/** A provider with the household's credentials. Its code, and the libraries it needs, are loaded when first called. */
export async function createProvider(settings: ProviderSettings, outside: Outside): Promise<Provider> {
  if (settings.name === 'plaid') {
    const { createPlaid } = await import('./plaid/plaid-provider.ts');
    return createPlaid(settings, outside);
  }
  const { createTeller } = await import('./teller/teller-provider.ts');
  return createTeller(settings, outside);
}
