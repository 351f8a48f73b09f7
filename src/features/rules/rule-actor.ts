import type { Actor } from '../../journal/write.ts';
import type { Principal } from '../handler.ts';

/** Who makes a rule. */
export function actorOf(principal: Principal | null): Actor {
  return principal?.actor ?? { type: 'system', id: null, userId: null, name: 'system' };
}
