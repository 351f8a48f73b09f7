import { microsOf } from '../../kernel/dollars.ts';
import type { ModelTier, ModelUsage } from '../../models/model.ts';

/** Millionths of a dollar per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** A row of the price table as the API shows it, in dollars per million tokens; a cache price of null is the input price. */
export interface PriceRow {
  readonly model: string;
  readonly input_per_mtok: number;
  readonly output_per_mtok: number;
  readonly cache_read_per_mtok: number | null;
  readonly cache_write_per_mtok: number | null;
}

/** The models of each tier if the provider is Anthropic and none is named. Each release checks these and their prices. */
export const SHIPPED_MODELS: Readonly<Record<ModelTier, string>> = {
  fast: 'claude-haiku-4-5',
  balanced: 'claude-sonnet-5',
  deep: 'claude-opus-5',
};

/** List prices of Anthropic; the cache is written for five minutes. */
export const SHIPPED_PRICES: readonly (PriceRow & { readonly as_of: string })[] = [
  shipped('claude-haiku-4-5', 1, 5, 0.1, 1.25),
  shipped('claude-sonnet-5', 2, 10, 0.2, 2.5),
  shipped('claude-opus-5', 5, 25, 0.5, 6.25),
];

function shipped(
  model: string,
  input: number,
  output: number,
  read: number,
  write: number,
): (typeof SHIPPED_PRICES)[0] {
  return {
    model,
    input_per_mtok: input,
    output_per_mtok: output,
    cache_read_per_mtok: read,
    cache_write_per_mtok: write,
    as_of: '2026-10-10',
  };
}

/** What a model costs: the household's own price, else the shipped one, else null. */
export function priceIn(own: readonly PriceRow[], model: string): Price | null {
  const row = [...own, ...SHIPPED_PRICES].find((one) => one.model === model);
  if (!row) return null;
  const input = microsOf(row.input_per_mtok);
  return {
    input,
    output: microsOf(row.output_per_mtok),
    cacheRead: row.cache_read_per_mtok === null ? input : microsOf(row.cache_read_per_mtok),
    cacheWrite: row.cache_write_per_mtok === null ? input : microsOf(row.cache_write_per_mtok),
  };
}

const PER = 1_000_000n;

/** What an answer costs, in millionths of a dollar, rounded half up. Exact: tokens × price exceeds what a number holds. */
export function costOf(usage: ModelUsage, price: Price): number {
  const parts = [
    [usage.input, price.input],
    [usage.output, price.output],
    [usage.cacheRead, price.cacheRead],
    [usage.cacheCreation, price.cacheWrite],
  ] as const;
  const total = parts.reduce((sum, [tokens, micros]) => sum + BigInt(tokens) * BigInt(micros), 0n);
  return Number((total + PER / 2n) / PER);
}
