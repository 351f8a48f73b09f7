import type { ReadTx } from '../../../db/unit-of-work.ts';
import { notFound } from '../../../kernel/errors.ts';
import { editorOf, loadFacetsByAnyId, writeFacets, type Editor, type Facets } from '../../facets/index.ts';
import { actorOf, JsonText, type WriteContext } from '../../handler.ts';
import { parseFields, selectRecord } from '../pages/record.queries.ts';

type Caller = Pick<WriteContext, 'tx' | 'principal'>;

/** One transaction before and after an edit; `changed` is false if there was nothing to write. */
export interface Edited {
  before: Facets;
  after: Facets;
  changed: boolean;
}

/**
 * Edits one live transaction by hand, and summarises it in the change set.
 * @throws NOT_FOUND, and whatever `edit` throws
 */
export async function editTransaction(
  caller: Caller,
  anyId: string,
  summary: string,
  edit: (facets: Facets, editor: Editor) => Facets | Promise<Facets>,
): Promise<Edited> {
  const before = await getTransactionOrDeleted(caller.tx, anyId);
  if (before.deletedAt !== null) throw notFound('transaction');
  return writeEdit(caller, before, await edit(before, editorOf(actorOf(caller.principal))), summary);
}

export async function writeEdit({ tx }: Caller, before: Facets, after: Facets, summary: string): Promise<Edited> {
  const changed = (await writeFacets(tx, [{ before, after }])) > 0;
  tx.journal.summarise(summary);
  return { before, after, changed };
}

/** The facets of a transaction, live or deleted, by UUID or short_id. @throws NOT_FOUND */
export async function getTransactionOrDeleted(tx: ReadTx, anyId: string): Promise<Facets> {
  const facets = (await loadFacetsByAnyId(tx, [anyId])).get(anyId);
  if (!facets) throw notFound('transaction');
  return facets;
}

/** The full record of a transaction that was just written. */
export async function transactionAnswer(tx: ReadTx, id: string): Promise<JsonText> {
  const json = await selectRecord(tx, id, parseFields(undefined), { includeDeleted: true });
  if (json === undefined) throw new Error('A transaction that was just written cannot be found.');
  return new JsonText(json);
}

/** `1 transaction`, `12 transactions`. */
export function countOf(count: number): string {
  return count === 1 ? '1 transaction' : `${count} transactions`;
}
