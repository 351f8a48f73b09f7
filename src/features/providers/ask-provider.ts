import type { z } from 'zod';

import { syncErrorMessage } from '../../engines/sync/sync-errors.ts';
import { AppError } from '../../kernel/errors.ts';
import { ProviderFailure, type FailureClass } from '../../providers/provider-failure.ts';
import type { LinkFor, Provider } from '../../providers/provider.ts';
import type { Instance, Principal } from '../handler.ts';
import { notConfigured } from './configured.ts';
import { openProvider } from './open-provider.ts';
import type { LinkSession } from './providers.contract.ts';

/** The provider with its credentials. @throws PROVIDER_NOT_CONFIGURED */
export async function requireProvider(instance: Instance, name: string): Promise<Provider> {
  const provider = await openProvider(instance, name);
  if (provider) return provider;
  throw notConfigured(instance, name);
}

/** What a call to a provider gives. @throws PROVIDER_ERROR */
export async function asking<T>({ traits }: Pick<Provider, 'traits'>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderFailure) throw new ProviderRefusal(error, traits.displayName);
    throw error;
  }
}

/**
 * What the provider's window is opened with, to link a bank or to sign in again.
 * @throws PROVIDER_ERROR
 */
export async function openLinkSession(provider: Provider, link: LinkFor): Promise<z.output<typeof LinkSession>> {
  const session = await asking(provider, async () => provider.createLinkSession(link));
  return session as z.output<typeof LinkSession>;
}

/** A refusal by the provider as a caller sees it: our own sentence and the provider's code. */
class ProviderRefusal extends AppError {
  /** The provider's own sentence, cleaned and without tokens: for admins alone. */
  readonly said: string | null;
  constructor(failure: ProviderFailure, displayName: string) {
    const code = CODE.test(failure.code) ? failure.code : 'UNKNOWN';
    const details = [{ path: 'provider_code', message: code }];
    super('PROVIDER_ERROR', sentence(failure, displayName), { details });
    this.said = failure.providerError?.message ?? null;
  }
}

/** Adds the provider's own sentence, which mostly names the cure, to a refusal if an admin calls (contract 30.7.6). */
export async function tellingAdmin<T>(principal: Principal | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || error.said === null || !isAdmin(principal)) throw error;
    const details = [...(error.extra.details ?? []), { path: 'provider_message', message: error.said }];
    throw new AppError('PROVIDER_ERROR', error.message, { ...error.extra, details });
  }
}

/** A signed-in admin, a command on the server, or a person's key with all rights. */
export function isAdmin(principal: Principal | null): boolean {
  if (principal === null) return false;
  const { kind, session, scope, actor } = principal;
  if (kind === 'session') return session?.role === 'admin';
  return kind === 'server' || (kind === 'key' && scope === 'full_access' && actor.type !== 'agent');
}

/** A code is a word; anything else a provider may have put there is not repeated. */
const CODE = /^[\w.-]{1,100}$/;

function sentence({ failureClass, code }: ProviderFailure, provider: string): string {
  if (code === 'INVALID_PUBLIC_TOKEN') {
    return `${provider} no longer accepts what the bank’s window returned. Open the window again.`;
  }
  if (failureClass === 'config') {
    return syncErrorMessage({ failureClass, code }, { institutionName: null, providerName: provider });
  }
  return SENTENCES[failureClass](provider);
}

const SENTENCES: Readonly<Record<Exclude<FailureClass, 'config'>, (provider: string) => string>> = {
  rate_limited: (one) => `${one} asks for a pause. Try again in a few minutes.`,
  login: (one) => `${one} reports that the bank login does not work. Sign in again in the bank’s window.`,
  item: (one) => `${one} cannot use this link to the bank. Open the bank’s window again.`,
  transient: (one) => `The bank or ${one} cannot be reached. Try again.`,
};
