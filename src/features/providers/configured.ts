import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError } from '../../kernel/errors.ts';
import { PROVIDER_TRAITS } from '../../providers/kinds.ts';
import type { Instance } from '../handler.ts';
import { providersInForce } from '../provider-settings/index.ts';
import { traitsOf } from './open-provider.ts';

/** Names of the bank providers that the server could talk to now (contract 30.4), in the order of lists. */
export async function configuredProviders(tx: ReadTx, instance: Instance): Promise<string[]> {
  const inForce: Readonly<Record<string, { isConfigured: boolean } | undefined>> = {
    ...(await providersInForce(tx, instance)),
  };
  const names = PROVIDER_TRAITS.map(({ name }) => name).filter((name) => inForce[name]?.isConfigured === true);
  return [...new Set([...names, ...instance.extraProviders.map(({ traits }) => traits.name)])];
}

/** The refusal of what needs a provider that is not configured; without a name, any provider. */
export function notConfigured(instance: Instance, name = ''): AppError {
  const what = traitsOf(instance, name)?.displayName;
  const problem = what === undefined ? 'No bank provider is set up.' : `${what} is not set up.`;
  return new AppError('PROVIDER_NOT_CONFIGURED', `${problem} An admin enters its keys under Settings, Bank providers.`);
}
