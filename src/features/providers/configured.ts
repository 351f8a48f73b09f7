import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ProviderEnvironment } from '../../kernel/provider-variables.ts';
import { PROVIDER_TRAITS } from '../../providers/kinds.ts';
import type { ProviderTraits } from '../../providers/provider.ts';
import type { Instance } from '../handler.ts';
import { providersInForce } from '../provider-settings/index.ts';

type InForce = Readonly<Record<string, { isConfigured: boolean; environment: ProviderEnvironment } | undefined>>;

/**
 * Names of the bank providers that the server could talk to now (contract 30.4), in the order of lists. An extra one
 * that is called like a built-in one takes its place, and needs its settings.
 */
export async function configuredProviders(tx: ReadTx, instance: Instance): Promise<string[]> {
  const extra = instance.extraProviders.map(({ traits }) => traits.name);
  const others = extra.filter((name) => PROVIDER_TRAITS.every((one) => one.name !== name));
  return [...(await builtInEnvironments(tx, instance)).keys(), ...others];
}

/** The environment of each built-in provider that is configured. */
export async function builtInEnvironments(
  tx: ReadTx,
  instance: Instance,
): Promise<ReadonlyMap<string, ProviderEnvironment>> {
  const inForce: InForce = { ...(await providersInForce(tx, instance)) };
  return new Map(
    PROVIDER_TRAITS.flatMap(({ name }) => {
      const one = inForce[name];
      return one?.isConfigured === true ? [[name, one.environment] as const] : [];
    }),
  );
}

/** What is known of a provider without its credentials; undefined for `csv` and unknown names. */
export function traitsOf(instance: Instance, name: string): ProviderTraits | undefined {
  const extra = instance.extraProviders.map(({ traits }) => traits);
  return [...extra, ...PROVIDER_TRAITS].find((traits) => traits.name === name);
}

/** The refusal when a provider is not configured; without a name, when none is. */
export function notConfigured(instance: Instance, name = ''): AppError {
  const what = traitsOf(instance, name)?.displayName;
  const problem = what === undefined ? 'No bank provider is set up.' : `${what} is not set up.`;
  return new AppError('PROVIDER_NOT_CONFIGURED', `${problem} An admin can enter the keys on the page Bank providers.`);
}

/** How many connections of a provider are not disconnected. */
export async function countLiveConnections(tx: ReadTx, provider: string): Promise<number> {
  const { count } = await tx.q
    .selectFrom('connections')
    .select((all) => all.fn.countAll<number | string>().as('count'))
    .where('provider', '=', provider)
    .where('status', '<>', 'disconnected')
    .executeTakeFirstOrThrow();
  return Number(count);
}
