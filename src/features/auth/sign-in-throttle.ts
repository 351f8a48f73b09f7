import type { Clock } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { countedAddress } from '../../kernel/network.ts';
import { RateLimiter } from '../../kernel/rate-limit.ts';

/** Who tries something secret: a known browser; or an address, with an identifier unless it tries a token. */
export type Attempt = { knownBrowser: string } | { address: string; identifier: string | null };

/** Limits how often passwords and tokens are guessed (contract 20.14). Per process, in memory. */
export interface SignInThrottle {
  /**
   * Runs a check that answers whether the secret was right. Every attempt pays before its check, so that many at once
   * gain nothing; what was right, or could not be checked, gets its tokens back.
   * @throws RATE_LIMITED, and what the check throws
   */
  guard(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean>;
}

interface Charge {
  limiter: RateLimiter;
  name: string;
  /** Whether success makes the bucket full again, instead of putting back its own token. */
  isCleared: boolean;
}

export function createSignInThrottle(clock: Clock): SignInThrottle {
  const pairs = new RateLimiter(clock, LIMITS.signInPairPerMinute, LIMITS.signInPairBurst);
  const addresses = new RateLimiter(clock, LIMITS.signInAddressPerMinute, LIMITS.signInAddressBurst);
  const identifiers = new RateLimiter(clock, LIMITS.signInIdentifierPerMinute, LIMITS.signInIdentifierBurst);
  const browsers = new RateLimiter(clock, LIMITS.knownBrowserPerMinute, LIMITS.knownBrowserBurst);

  function chargesOf(attempt: Attempt): Charge[] {
    if ('knownBrowser' in attempt) return [{ limiter: browsers, name: attempt.knownBrowser, isCleared: true }];
    const address = countedAddress(attempt.address);
    const byAddress = { limiter: addresses, name: address, isCleared: false };
    if (attempt.identifier === null) return [byAddress];
    // An identifier may be as long as a body.
    const identifier = sha256Hex(attempt.identifier);
    return [
      { limiter: pairs, name: `${identifier} ${address}`, isCleared: true },
      byAddress,
      { limiter: identifiers, name: identifier, isCleared: false },
    ];
  }

  return {
    async guard(attempt, check) {
      const charges = chargesOf(attempt);
      refuseEmpty(charges);
      for (const { limiter, name } of charges) limiter.take(name);
      const giveBack = (): void => {
        for (const { limiter, name } of charges) limiter.giveBack(name);
      };
      let isRight: boolean;
      try {
        isRight = await check();
      } catch (error) {
        giveBack();
        throw error;
      }
      if (!isRight) return false;
      giveBack();
      for (const { limiter, name, isCleared } of charges) if (isCleared) limiter.refill(name);
      return true;
    },
  };
}

/** @throws RATE_LIMITED until every bucket has a token again */
function refuseEmpty(charges: readonly Charge[]): void {
  const empty = charges.map(({ limiter, name }) => limiter.peek(name)).filter(({ allowed }) => !allowed);
  if (empty.length === 0) return;
  const seconds = Math.max(...empty.map(({ retryAfter }) => retryAfter));
  throw new AppError('RATE_LIMITED', `Too many failed attempts. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
