import type { DateOnly } from '../../kernel/dates.ts';
import type { Cents } from '../../kernel/money.ts';

/** One transaction as rules see it (contract 40.2.2), with its locks (10.1.6). */
export interface RuleRow {
  readonly name: string;
  readonly merchantName: string | null;
  readonly amountCents: Cents;
  readonly isoCurrencyCode: string | null;
  readonly pending: boolean;
  readonly provider: string | null;
  readonly paymentChannel: string | null;
  readonly providerCategoryPrimary: string | null;
  readonly providerCategoryDetailed: string | null;
  readonly accountId: string;
  /** The account's label, else its name. */
  readonly accountName: string | null;
  readonly accountType: string | null;
  /** UUID of the effective owner (10.1.3). */
  readonly userId: string | null;
  readonly userName: string | null;
  readonly date: DateOnly;
  readonly categoryId: string | null;
  readonly categorySource: string | null;
  /** Slugs. */
  readonly tags: ReadonlySet<string>;
  readonly seriesId: string | null;
  readonly counterpartyId: string | null;
  readonly metadata: ReadonlyMap<string, unknown>;
  readonly flagged: boolean;
  readonly locks: ReadonlySet<string>;
}

/** A part of a row. Only the parts that rules depend on are read. */
export type RowPart = keyof RuleRow;

/** A facet, named by the key of its lock. */
export type FacetKey = 'category' | 'counterparty' | 'series' | 'flag' | `tag:${string}` | `metadata.${string}`;
