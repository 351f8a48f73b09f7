import { startCollapse } from '../../../engines/sync/collapse.ts';
import type { ProviderTraits, RemovedRow, UnreadableRow } from '../../../providers/provider.ts';
import type { Delivery, KeptRow } from './delivery.ts';

/** What a fetch brought, with one word per external id (contract 30.7.2, step 3). */
export interface CollapsedDelivery {
  /** In the order of delivery, by external account id. */
  readonly rows: ReadonlyMap<string, readonly KeptRow[]>;
  readonly removed: readonly RemovedRow[];
  readonly unreadable: readonly UnreadableRow[];
  readonly unreadableIds: ReadonlySet<string>;
}

export function collapseDelivery({ pages }: Delivery, { rowIds }: ProviderTraits): CollapsedDelivery {
  const collapse = startCollapse<RemovedRow>(rowIds);
  const all: KeptRow[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const page of pages) {
    collapse.take({ kind: 'rows', rows: page.rows, removed: page.removed });
    for (const row of page.rows) all.push(row);
    for (const row of page.unreadable) unreadable.push(row);
  }
  const { kept, removed } = collapse.finish();
  const rows = new Map<string, KeptRow[]>();
  for (const index of kept) {
    const row = all[index] as KeptRow;
    const ofAccount = rows.get(row.externalAccountId);
    if (ofAccount) ofAccount.push(row);
    else rows.set(row.externalAccountId, [row]);
  }
  const unreadableIds = new Set(unreadable.flatMap(({ externalId }) => externalId ?? []));
  return { rows, removed, unreadable, unreadableIds };
}
