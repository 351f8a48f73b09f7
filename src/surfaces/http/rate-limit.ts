import type { Clock } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** What one token bucket says about a request. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  /** Whole tokens left. */
  remaining: number;
  /** Epoch second at which the bucket is full again. */
  reset: number;
  /** Seconds until there is a token; at least 1 when refused. */
  retryAfter: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Token buckets in memory, one per name (contract 20.14). A request costs one token; nothing is queued. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #size: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, refillPerMinute: number, size: number) {
    this.#clock = clock;
    this.#perMs = refillPerMinute / 60_000;
    this.#size = size;
  }

  take(name: string): Verdict {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(name) ?? { tokens: this.#size, at: now };
    bucket.tokens = Math.min(this.#size, bucket.tokens + Math.max(0, now - bucket.at) * this.#perMs);
    bucket.at = now;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    // Re-inserting keeps the map in order of use, so that the oldest goes first when there are too many.
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > LIMITS.rateBuckets) this.#dropOldest();
    const untilToken = (1 - bucket.tokens) / this.#perMs / 1000;
    return {
      allowed,
      limit: this.#size,
      remaining: Math.floor(bucket.tokens),
      reset: Math.ceil((now + (this.#size - bucket.tokens) / this.#perMs) / 1000),
      retryAfter: Math.max(1, Math.ceil(untilToken)),
    };
  }

  #dropOldest(): void {
    const oldest = this.#buckets.keys().next().value;
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
