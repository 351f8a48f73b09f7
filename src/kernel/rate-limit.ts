import type { Clock } from './clock.ts';
import { LIMITS } from './limits.ts';

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
    const bucket = this.#bucketOf(name);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    // Re-inserting keeps the map in order of use, so that the oldest goes first when there are too many.
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > LIMITS.rateBuckets) this.#dropOldest();
    return this.#verdict(bucket, allowed);
  }

  /** What `take` would say. */
  peek(name: string): Verdict {
    const bucket = this.#bucketOf(name);
    return this.#verdict(bucket, bucket.tokens >= 1);
  }

  /** Puts back a token that was taken needlessly. */
  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket) bucket.tokens = Math.min(this.#size, bucket.tokens + 1);
  }

  /** Makes a bucket full again. */
  refill(name: string): void {
    this.#buckets.delete(name);
  }

  /** The bucket with the tokens that have flowed in since; a full one is not kept. */
  #bucketOf(name: string): Bucket {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(name) ?? { tokens: this.#size, at: now };
    bucket.tokens = Math.min(this.#size, bucket.tokens + Math.max(0, now - bucket.at) * this.#perMs);
    bucket.at = now;
    return bucket;
  }

  #verdict({ tokens, at }: Bucket, allowed: boolean): Verdict {
    const untilToken = (1 - tokens) / this.#perMs / 1000;
    return {
      allowed,
      limit: this.#size,
      remaining: Math.floor(tokens),
      reset: Math.ceil((at + (this.#size - tokens) / this.#perMs) / 1000),
      retryAfter: Math.max(1, Math.ceil(untilToken)),
    };
  }

  #dropOldest(): void {
    const oldest = this.#buckets.keys().next().value;
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
