import type { Clock } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { MINUTE_MS } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Random } from '../../kernel/random.ts';

/** The link that the demo prints: it signs one visitor in, once. Only a demo has one. */
export interface DemoLink {
  /** A new token, which voids the former one. */
  open(): string;
  /** Whether a token is good; from then on it is not. */
  spend(token: string): boolean;
}

export function createDemoLink(clock: Clock, random: Random): DemoLink {
  let good: { hash: string; until: number } | null = null;
  return {
    open() {
      const token = Buffer.from(random.bytes(LIMITS.tokenBytes)).toString('base64url');
      good = { hash: sha256Hex(token), until: clock.now() + LIMITS.demoLinkMinutes * MINUTE_MS };
      return token;
    },
    spend(token) {
      if (good === null || good.hash !== sha256Hex(token) || clock.now() >= good.until) return false;
      good = null;
      return true;
    },
  };
}
