import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { insertComment } from '../comments/index.ts';
import { editorOf, writeFacets } from '../facets/index.ts';
import { actorOf, handleWrite, type Principal } from '../handler.ts';
import { findOrMakeTags } from '../tags/index.ts';
import { judgeUpdates, type Judged } from './judge-updates.ts';
import { countOf } from './selected-transactions.ts';
import { updateTransactions as operation, type UpdateResult } from './transaction-bulk.contract.ts';

export const updateTransactions = handleWrite(operation, 'transactions.update', async (context, { body }) => {
  const { tx, principal, instance } = context;
  const editor = editorOf(actorOf(principal));
  const judged = await judgeUpdates(tx, editor, body.operations, (err) => {
    instance.logger.error({ err }, 'An operation of a batch failed.');
  });
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

/** Tags first, because transactions carry them; comments last, as an operation writes them. */
async function store(tx: WriteTx, principal: Principal | null, { edits, slugs, comments }: Judged): Promise<void> {
  await findOrMakeTags(tx, [...new Set(slugs)]);
  await writeFacets(tx, edits);
  for (const comment of comments) await insertComment(tx, { ...comment, author: actorOf(principal) });
  const changed = new Set(comments.map(({ transactionId }) => transactionId));
  for (const { before, after } of edits) if (after !== before) changed.add(after.id);
  tx.journal.summarise(`Updated ${countOf(changed.size)}`);
}

function aborted(results: readonly UpdateResult[], failed: number): AppError {
  const details = results.flatMap(({ index, error }) =>
    error === null ? [] : [{ path: `operations[${index}]`, message: error.message, code: error.code }],
  );
  const undone = results.map((one) => (one.error ? one : { ...one, status: 'rolled_back', changed: false }));
  return new AppError(
    'BATCH_ABORTED',
    `${failed} of ${results.length} operations failed, so nothing was written. Correct them, or send on_error continue.`,
    { details, members: { results: undone, succeeded: 0, failed } },
  );
}
