import type { DeliveredTransaction, RemovedRow, UnreadableRow } from '../../../providers/provider.ts';

/** A delivered row without its raw form, which stays where the rows are kept. */
export interface KeptRow extends Omit<DeliveredTransaction, 'raw'> {
  /** Where its raw form is; only the store that keeps it can interpret this. */
  readonly rawAt: number;
}

/** What one page brought, in order. */
export interface KeptPage {
  readonly rows: readonly KeptRow[];
  readonly unreadable: readonly UnreadableRow[];
  readonly removed: readonly RemovedRow[];
}

/** Everything that a fetch brought: in memory, or in a file if it is large. */
export interface Delivery {
  readonly pages: Iterable<KeptPage>;
  rawOf(row: KeptRow): string;
  close(): void;
}

/** The rows of a page as a provider gives them. */
export type DeliveredPage = Omit<KeptPage, 'rows'> & { readonly rows: readonly DeliveredTransaction[] };

/** A delivery that fits in memory. */
export function deliveryOf(pages: readonly DeliveredPage[]): Delivery {
  const raws: string[] = [];
  const kept = pages.map((page) => ({
    ...page,
    rows: page.rows.map(({ raw, ...row }): KeptRow => ({ ...row, rawAt: raws.push(raw) - 1 })),
  }));
  return { pages: kept, rawOf: ({ rawAt }) => raws[rawAt] as string, close: () => undefined };
}
