import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { AppError, notFound, quoted, type ErrorDetail } from '../../kernel/errors.ts';
import { actorOf, type WriteContext } from '../handler.ts';
import { editorOf, setCounterparty, setSeries, type Editor, type Facets } from './facets.ts';
import { loadFacetsByAnyId } from './facets.queries.ts';
import type { LinkResult } from './link.contract.ts';
import { writeFacets } from './write-facets.ts';

type Caller = Pick<WriteContext, 'tx' | 'principal'>;

/** What a transaction can be linked to, at most one of each. */
export type Binding = 'counterparty' | 'series';

interface Bound {
  idOf: (facets: Facets) => string | null;
  set: (facets: Facets, editor: Editor, id: string | null) => Facets;
}

const BINDINGS: Readonly<Record<Binding, Bound>> = {
  counterparty: { idOf: ({ counterpartyId }) => counterpartyId, set: setCounterparty },
  series: { idOf: ({ seriesId }) => seriesId, set: setSeries },
};

/**
 * Links transactions by hand to the series or counterparty with this UUID. Those that are linked to another stay there.
 * @throws INVALID_PARAMETER with a detail for each id that is not a live transaction
 */
export async function linkTransactions(
  { tx, principal }: Caller,
  to: { binding: Binding; id: string },
  anyIds: readonly string[],
): Promise<z.output<typeof LinkResult>> {
  const { idOf, set } = BINDINGS[to.binding];
  const transactions = await getLiveTransactions(tx, anyIds);
  const free = transactions.filter((facets) => idOf(facets) === null);
  await writeFacets(
    tx,
    free.map((before) => ({ before, after: set(before, editorOf(actorOf(principal)), to.id) })),
  );
  const elsewhere = transactions.flatMap((facets) => {
    const boundTo = idOf(facets);
    if (boundTo === null || boundTo === to.id) return [];
    const { id, shortId } = facets;
    return [{ transaction_id: id, short_id: shortId, reason: 'bound_elsewhere' as const, bound_to: boundTo }];
  });
  return {
    linked: free.length,
    already_linked: transactions.length - free.length - elsewhere.length,
    skipped: elsewhere,
  };
}

/**
 * Unlinks a transaction by hand from the series or counterparty with this UUID.
 * @throws NOT_FOUND unless it is a live transaction that is linked to exactly this one
 */
export async function unlinkTransaction(
  { tx, principal }: Caller,
  from: { binding: Binding; id: string },
  anyId: string,
): Promise<void> {
  const { idOf, set } = BINDINGS[from.binding];
  const before = (await loadFacetsByAnyId(tx, [anyId])).get(anyId);
  if (!before || before.deletedAt !== null) throw notFound('transaction');
  if (idOf(before) !== from.id) {
    throw new AppError('NOT_FOUND', `The transaction is not linked to this ${from.binding}.`);
  }
  await writeFacets(tx, [{ before, after: set(before, editorOf(actorOf(principal)), null) }]);
}

/**
 * Unlinks those of these transactions that are linked to the series or counterparty with this UUID, by hand. Answers how
 * many. `field` is what the caller calls the list.
 * @throws INVALID_PARAMETER with a detail for each id that is not a live transaction
 */
export async function unlinkTransactions(
  { tx, principal }: Caller,
  from: { binding: Binding; id: string },
  anyIds: readonly string[],
  field: string,
): Promise<number> {
  const { idOf, set } = BINDINGS[from.binding];
  const linked = (await getLiveTransactions(tx, anyIds, field)).filter((facets) => idOf(facets) === from.id);
  const editor = editorOf(actorOf(principal));
  await writeFacets(
    tx,
    linked.map((before) => ({ before, after: set(before, editor, null) })),
  );
  return linked.length;
}

/**
 * The live transactions with these ids, each once, in the order of the ids.
 * @throws INVALID_PARAMETER with a detail for each id that is not a live transaction
 */
export async function getLiveTransactions(
  tx: ReadTx,
  anyIds: readonly string[],
  field = 'transaction_ids',
): Promise<Facets[]> {
  const known = await loadFacetsByAnyId(tx, [...new Set(anyIds)]);
  const found = new Map<string, Facets>();
  const details: ErrorDetail[] = [];
  for (const [index, anyId] of anyIds.entries()) {
    const facets = known.get(anyId);
    if (facets && facets.deletedAt === null) found.set(facets.id, facets);
    else {
      const state = facets ? 'is a deleted transaction' : 'is not a known transaction';
      const message = `${quoted(anyId)} ${state}.`;
      details.push({ path: `${field}[${index}]`, message });
    }
  }
  const [first, ...others] = details;
  if (!first) return [...found.values()];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new AppError('INVALID_PARAMETER', `${first.path}: ${first.message}${more}`, { details });
}
