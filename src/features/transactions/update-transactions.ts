import type { WriteTx } from '../../journal/write.ts';
import { AppError, quoted } from '../../kernel/errors.ts';
import { insertComment, selectSameComments } from '../comments/index.ts';
import { editorOf, loadFacetsByAnyId, writeFacets, type Editor, type FacetEdit, type Facets } from '../facets/index.ts';
import { actorOf, handleWrite, type Principal } from '../handler.ts';
import { findOrMakeTags } from '../tags/index.ts';
import { automaticCategories, type AutomaticCategory } from './edits/automatic-category.ts';
import { findReferences } from './edits/resolve-references.ts';
import { countOf } from './edits/edit-transaction.ts';
import {
  updateTransactions as operation,
  type UpdateOperation,
  type UpdateResult,
} from './transaction-bulk.contract.ts';
import { applyOperation } from './edits/update-operation.ts';
import { selectUpdateInstants } from './transactions.queries.ts';

export const updateTransactions = handleWrite(operation, 'transactions.update', async (context, { body }) => {
  const { tx, principal, instance, agent } = context;
  const editor = editorOf(actorOf(principal));
  const judged = await judgeUpdates(tx, editor, body.operations, (err) => {
    instance.logger.error({ err }, 'An operation of a batch failed.');
  });
  if (agent) await dropRepeatedComments(tx, principal, judged);
  const { results } = judged;
  const failed = results.filter(({ status }) => status === 'error').length;
  if (failed > 0 && body.on_error === 'abort') throw aborted(results, failed);
  const run = (): Promise<void> => store(tx, principal, judged);
  await (body.dry_run ? tx.rehearse(run) : run());
  return {
    results,
    succeeded: results.length - failed,
    failed,
    dry_run: body.dry_run,
    change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
  };
});

/**
 * Leaves out comments that the caller has made within a day, or earlier in this request: an agent whose answer was lost
 * says it again (contract 70.2).
 */
async function dropRepeatedComments(tx: WriteTx, principal: Principal | null, judged: Judged): Promise<void> {
  const same = await selectSameComments(tx, actorOf(principal), judged.comments);
  const said = new Set(same.map((one) => JSON.stringify([one.transactionId, one.body])));
  judged.comments = judged.comments.filter(({ transactionId, body, operation: index }) => {
    const key = JSON.stringify([transactionId, body]);
    if (!said.has(key)) {
      said.add(key);
      return true;
    }
    const result = judged.results[index];
    if (result) result.changed = judged.changedBesides.has(index);
    return false;
  });
}

/** Tags first, because transactions refer to them; comments last, as in a single operation. */
async function store(tx: WriteTx, principal: Principal | null, { edits, slugs, comments }: Judged): Promise<void> {
  await findOrMakeTags(tx, [...new Set(slugs)]);
  await writeFacets(tx, edits);
  const author = actorOf(principal);
  for (const { transactionId, body } of comments) await insertComment(tx, { transactionId, body, author });
  const changed = new Set(comments.map(({ transactionId }) => transactionId));
  for (const { before, after } of edits) if (after !== before) changed.add(after.id);
  tx.journal.summarise(`Updated ${countOf(changed.size)}`);
}

function aborted(results: readonly UpdateResult[], failed: number): AppError {
  const details = results.flatMap(({ index, error }) =>
    error === null ? [] : [{ path: `operations[${index}]`, message: error.message, code: error.code }],
  );
  const undone = results.map((one) => (one.error ? one : { ...one, status: 'rolled_back', changed: false }));
  const [first] = details;
  const why = first ? ` ${first.path}: ${first.message}` : '';
  const next = failed < results.length ? 'Correct the request, or send on_error: continue.' : 'Correct the request.';
  // Many agents read the message alone.
  const message = `${failed} of ${results.length} operations failed, so nothing was written.${why} ${next}`;
  return new AppError('BATCH_ABORTED', message, { details, members: { results: undone, succeeded: 0, failed } });
}

/** The outcome of each operation of a batch, and what to write for those that succeed. */
export interface Judged {
  results: UpdateResult[];
  /** One per transaction, even if several operations change it. */
  edits: FacetEdit[];
  /** Slugs that operations add; unknown ones are to be created. */
  slugs: string[];
  comments: { operation: number; transactionId: string; body: string }[];
  /** Indices of the operations that change something else than comments. */
  changedBesides: Set<number>;
}

/**
 * Applies the operations in memory, in order, each to the result of the earlier ones; a failed one changes nothing.
 * `onFailure` gets errors that the caller did not cause.
 */
async function judgeUpdates(
  tx: WriteTx,
  editor: Editor,
  operations: readonly UpdateOperation[],
  onFailure: (error: unknown) => void,
): Promise<Judged> {
  const named = await loadFacetsByAnyId(tx, [...new Set(operations.map((operation) => operation.transaction_id))]);
  const references = await findReferences(tx, operations);
  const automatic = automaticFor(tx, operations, named);
  // Nobody else writes until this transaction ends, so what is compared here is what is overwritten.
  const updatedAt = await selectUpdateInstants(tx, idsWithPrecondition(operations, named));
  const edits = new Map<string, FacetEdit>();
  const judged: Judged = { results: [], edits: [], slugs: [], comments: [], changedBesides: new Set() };

  for (const [index, operation] of operations.entries()) {
    const { transaction_id: anyId, comment } = operation;
    const result: UpdateResult = { index, transaction_id: anyId, status: 'ok', changed: false, error: null };
    judged.results.push(result);
    try {
      const stored = live(named.get(anyId), anyId);
      requireUpdatedAt(operation, updatedAt.get(stored.id));
      const edit = edits.get(stored.id) ?? { before: stored, after: stored };
      const after = applyOperation(edit.after, operation, {
        editor,
        references,
        automatic: operation.reset_category === true ? await automatic(edit) : undefined,
        now: tx.now,
      });
      if (after !== edit.after) judged.changedBesides.add(index);
      result.changed = after !== edit.after || comment !== undefined;
      edits.set(stored.id, { before: edit.before, after });
      judged.slugs.push(...(operation.tags_to_add ?? []).map(references.tagToAdd));
      if (comment !== undefined) judged.comments.push({ operation: index, transactionId: stored.id, body: comment });
    } catch (error) {
      result.status = 'error';
      result.error = toError(error);
      if (!(error instanceof AppError)) onFailure(error);
    }
  }
  judged.edits = [...edits.values()];
  return judged;
}

function live(facets: Facets | undefined, anyId: string): Facets {
  if (facets && facets.deletedAt === null) return facets;
  throw new AppError('NOT_FOUND', `The transaction ${quoted(anyId)} was not found.`);
}

function idsWithPrecondition(operations: readonly UpdateOperation[], named: ReadonlyMap<string, Facets>): string[] {
  return operations.flatMap(({ transaction_id: anyId, expected_updated_at: expected }) => {
    const facets = expected === undefined ? undefined : named.get(anyId);
    return facets ? [facets.id] : [];
  });
}

/** Compares with the stored row: what earlier operations of the same request did to it is the caller's own. */
function requireUpdatedAt(operation: UpdateOperation, updatedAt: string | undefined): void {
  const { transaction_id: anyId, expected_updated_at: expected } = operation;
  if (expected === undefined || expected === updatedAt) return;
  throw new AppError(
    'PRECONDITION_FAILED',
    `The transaction ${quoted(anyId)} has changed since ${expected}. Read it again, then repeat the change.`,
  );
}

/** Evaluated once for all, and again only for a transaction that an earlier operation has changed. */
function automaticFor(
  tx: WriteTx,
  operations: readonly UpdateOperation[],
  named: ReadonlyMap<string, Facets>,
): (edit: FacetEdit) => Promise<AutomaticCategory | undefined> {
  const find = (rows: readonly Facets[]) => tx.attempt(() => automaticCategories(tx, rows));
  const reset = operations.filter(({ reset_category: isReset }) => isReset === true);
  const rows = reset.map(({ transaction_id: anyId }) => named.get(anyId)).filter((facets) => facets !== undefined);
  let stored: ReturnType<typeof find> | undefined;
  return async ({ before, after }) =>
    (await (before === after ? (stored ??= find(rows)) : find([after]))).get(after.id);
}

function toError(error: unknown): { code: string; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side. This operation changed nothing.' };
}
