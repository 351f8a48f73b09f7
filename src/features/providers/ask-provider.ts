import type { z } from 'zod';

import { AppError } from '../../kernel/errors.ts';
import { ProviderFailure, type FailureClass } from '../../providers/provider-failure.ts';
import type { LinkFor, Provider } from '../../providers/provider.ts';
import type { Instance } from '../handler.ts';
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
    if (error instanceof ProviderFailure) throw providerError(error, traits.displayName);
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

/** The failure as a caller sees it: our own sentence, and the provider's code. */
function providerError(failure: ProviderFailure, displayName: string): AppError {
  const code = CODE.test(failure.code) ? failure.code : 'UNKNOWN';
  const details = [{ path: 'provider_code', message: code }];
  return new AppError('PROVIDER_ERROR', sentence(failure, displayName), { details });
}

/** A code is a word; anything else a provider may have put there is not repeated. */
const CODE = /^[\w.-]{1,100}$/;

function sentence({ failureClass, code }: ProviderFailure, provider: string): string {
  if (code === 'INVALID_PUBLIC_TOKEN') {
    return `${provider} no longer accepts what the bank’s window returned. Open the window again.`;
  }
  return SENTENCES[failureClass](provider);
}

const SENTENCES: Readonly<Record<FailureClass, (provider: string) => string>> = {
  config: (one) => `${one} refuses this server’s own keys or certificate. An admin must check the provider settings.`,
  rate_limited: (one) => `${one} asks for a pause. Try again in a few minutes.`,
  login: (one) => `${one} reports that the bank login does not work. Sign in again in the bank’s window.`,
  item: (one) => `${one} cannot use this link to the bank. Open the bank’s window again.`,
  transient: (one) => `The bank or ${one} cannot be reached. Try again.`,
};
