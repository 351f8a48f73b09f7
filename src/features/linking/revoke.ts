import { setTimeout } from 'node:timers/promises';

import { LIMITS } from '../../kernel/limits.ts';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import type { Access, Provider } from '../../providers/provider.ts';
import type { Instance } from '../handler.ts';

/** Ends the access to an item at its provider, within the time that somebody waits for it. Answers whether it did. */
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
