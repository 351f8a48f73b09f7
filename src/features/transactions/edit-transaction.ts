import { editorOf, writeFacets, type Editor, type Facets } from '../facets/index.ts';
import { actorOf, type WriteContext } from '../handler.ts';
import { getLiveTransaction } from './find-live-transaction.ts';

type Caller = Pick<WriteContext, 'tx' | 'principal'>;

/** One transaction before and after an edit; `changed` is false when there was nothing to write. */
export interface Edited {
  before: Facets;
  after: Facets;
  changed: boolean;
}

/**
 * Edits one live transaction by hand, and says in the journal what was done.
 * @throws NOT_FOUND and whatever `edit` throws
 */
export async function editTransaction(
  caller: Caller,
  anyId: string,
  summary: string,
  edit: (facets: Facets, editor: Editor) => Facets | Promise<Facets>,
): Promise<Edited> {
  const before = await getLiveTransaction(caller.tx, anyId);
  return writeEdit(caller, before, await edit(before, editorOf(actorOf(caller.principal))), summary);
}

export async function writeEdit({ tx }: Caller, before: Facets, after: Facets, summary: string): Promise<Edited> {
  const changed = (await writeFacets(tx, [{ before, after }])) > 0;
  tx.journal.summarise(summary);
  return { before, after, changed };
}
