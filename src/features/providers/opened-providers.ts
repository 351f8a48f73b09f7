import { createProvider, type ProviderSettings } from '../../providers/create-provider.ts';
import type { Outside, Provider } from '../../providers/provider.ts';
import type { Instance } from '../handler.ts';

interface Opened {
  provider: Promise<Provider>;
  /** The settings that it was made from. */
  settings: string;
}

/** One client for each provider of each running service, so that its connections are kept between calls. */
const opened = new WeakMap<Instance, Map<string, Opened>>();

/**
 * The client made from these settings. One whose settings changed is left to those that still use it; its connections
 * close when they are idle.
 */
export function reuseProvider(
  instance: Instance,
  inForce: ProviderSettings,
  outside: () => Outside,
): Promise<Provider> {
  const clients = opened.get(instance) ?? new Map<string, Opened>();
  opened.set(instance, clients);
  const settings = JSON.stringify(inForce);
  const known = clients.get(inForce.name);
  if (known?.settings === settings) return known.provider;
  const provider = createProvider(inForce, outside());
  clients.set(inForce.name, { provider, settings });
  return provider;
}

/** Closes the kept connections of this service, when it ends. */
export async function closeProviders(instance: Instance): Promise<void> {
  const clients = [...(opened.get(instance)?.values() ?? [])];
  opened.delete(instance);
  await Promise.all(clients.map(async ({ provider }) => (await provider).close?.()));
}
