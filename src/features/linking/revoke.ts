import { setTimeout } from 'node:timers/promises';

import { LIMITS } from '../../kernel/limits.ts';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import type { Access, Provider } from '../../providers/provider.ts';
import type { Instance } from '../handler.ts';
import { openProvider } from '../providers/index.ts';

/** Revokes access to an item at its provider, within a time that a person will wait. Returns whether it succeeded. */
export async function revokeWithin(
  { logger }: Pick<Instance, 'logger'>,
  provider: Provider,
  access: Access,
): Promise<boolean> {
  const late = new AbortController();
  const inTime = new AbortController();
  const timeUp = setTimeout(LIMITS.revokeMs, undefined, { signal: inTime.signal }).then(
    () => late.abort(new ProviderFailure({ failureClass: 'transient', code: 'TIMEOUT' })),
    () => undefined,
  );
  try {
    // A provider that does not listen to the signal is not waited for either.
    const isLate = timeUp.then(() => late.signal.throwIfAborted());
    await Promise.race([provider.revoke(access, late.signal), isLate]);
    return true;
  } catch (error) {
    const code = error instanceof ProviderFailure ? error.code : 'INTERNAL_ERROR';
    logger.warn({ provider: provider.traits.name, code }, 'The access to a bank could not be revoked at the provider.');
    return false;
  } finally {
    inTime.abort();
  }
}

/** Revokes access to several items at once. */
export async function revokeAll(
  instance: Instance,
  links: readonly BankAccess[],
): Promise<{ succeeded: number; failed: number }> {
  const outcomes = await Promise.all(links.map((link) => revokeLink(instance, link)));
  const succeeded = outcomes.filter(Boolean).length;
  return { succeeded, failed: outcomes.length - succeeded };
}

/** The access to an item that may be gone from the database already. */
export interface BankAccess {
  provider: string;
  /** undefined: it cannot be decrypted. */
  access: Access | undefined;
}

/** Whether the access was revoked; if not, the log says why. */
export async function revokeLink(instance: Instance, { provider: name, access }: BankAccess): Promise<boolean> {
  const provider = access && (await openProvider(instance, name));
  if (access && provider) return revokeWithin(instance, provider, access);
  const why = access ? 'The provider is not configured' : 'The stored access cannot be decrypted';
  instance.logger.warn({ provider: name }, `${why}, so the access to a bank was not revoked.`);
  return false;
}
