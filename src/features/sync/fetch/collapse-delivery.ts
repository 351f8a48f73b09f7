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

/** `live`: of the ids that a page both adds and removes, those of live transactions, which went and came back. */
export function collapseDelivery(
  { pages }: Delivery,
  { rowIds }: ProviderTraits,
  live: ReadonlySet<string>,
): CollapsedDelivery {
  const collapse = startCollapse<RemovedRow>(rowIds);
  const all: KeptRow[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const page of pages) {
    const back = new Set(live.size === 0 ? [] : page.rows.map(({ externalId }) => externalId ?? ''));
    const gone = page.removed.filter(({ externalId }) => !live.has(externalId) || !back.has(externalId));
    collapse.take({ kind: 'rows', rows: page.rows, removed: gone });
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
