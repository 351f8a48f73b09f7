import { importJWK, type CryptoKey } from 'jose';

import { MINUTE_MS } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Outside } from '../provider.ts';
import { ProviderFailure } from '../provider-failure.ts';
import { membersOf, type JsonObject } from '../read-values.ts';
import type { CallPlaid } from './plaid-client.ts';

/** `unknown`: there is no such key, or it must not be asked for now. `unreachable`: Plaid did not say. */
export type FoundKey = CryptoKey | 'unknown' | 'unreachable';

export interface KeyRing {
  find(kid: string): Promise<FoundKey>;
}

interface KnownKey {
  key: CryptoKey | null;
  /** When it was requested. */
  at: number;
  /** The key is not valid from then on. */
  expiredAt: number | null;
}

/**
 * The keys that sign Plaid's webhooks, by their id. Whoever sends a webhook chooses the id, so look-ups are few and an id
 * that led nowhere is remembered.
 */
export function createKeyRing(call: CallPlaid, outside: Outside): KeyRing {
  const known = new Map<string, KnownKey>();
  const asking = new Map<string, Promise<FoundKey>>();
  let lookups: number[] = [];

  function remember(kid: string, key: KnownKey): void {
    known.delete(kid);
    known.set(kid, key);
    const [oldest] = known.keys();
    if (known.size > LIMITS.webhookKeysRemembered && oldest !== undefined) known.delete(oldest);
  }

  async function ask(kid: string): Promise<FoundKey> {
    const now = outside.now();
    lookups = lookups.filter((at) => now - at < MINUTE_MS);
    if (lookups.length >= LIMITS.webhookKeyLookupsPerMinute) return 'unknown';
    lookups.push(now);
    const said = await askForKey(call, kid);
    if (said === 'unreachable') return said;
    const key = said === 'unknown' ? null : await readKey(said);
    remember(kid, { key, at: now, expiredAt: said === 'unknown' ? null : readExpiry(said) });
    return valid(kid);
  }

  function valid(kid: string): FoundKey {
    const { key = null, expiredAt = null } = known.get(kid) ?? {};
    return key === null || (expiredAt !== null && expiredAt <= outside.now()) ? 'unknown' : key;
  }

  return {
    find(kid) {
      const found = known.get(kid);
      const keptMs = found?.key ? LIMITS.webhookKeyHours * 60 * MINUTE_MS : LIMITS.webhookUnknownKeyMs;
      if (found && outside.now() - found.at < keptMs) return Promise.resolve(valid(kid));
      const running = asking.get(kid) ?? ask(kid).finally(() => asking.delete(kid));
      asking.set(kid, running);
      return running;
    },
  };
}

async function askForKey(call: CallPlaid, kid: string): Promise<JsonObject | 'unknown' | 'unreachable'> {
  try {
    const answer = await call((api, options) => api.webhookVerificationKeyGet({ key_id: kid }, options), {
      withinMs: LIMITS.webhookKeyMs,
    });
    return membersOf(answer['key']);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return error.code === 'INVALID_WEBHOOK_VERIFICATION_KEY_ID' ? 'unknown' : 'unreachable';
  }
}

/** null if it is not an ES256 key. */
async function readKey({ alg, kty, crv, x, y }: JsonObject): Promise<CryptoKey | null> {
  if (alg !== 'ES256' || kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string') return null;
  try {
    const key = await importJWK({ kty, crv, x, y }, 'ES256');
    return key instanceof Uint8Array ? null : key;
  } catch {
    return null;
  }
}

function readExpiry({ expired_at: expiredAt }: JsonObject): number | null {
  return typeof expiredAt === 'number' ? expiredAt * 1_000 : null;
}
