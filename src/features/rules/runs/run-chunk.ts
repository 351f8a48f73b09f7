import { evaluateRow, type Evaluation } from '../../../engines/rules/evaluate.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { loadFacets, writeFacets, type FacetEdit, type Facets } from '../../facets/index.ts';
import { editOf } from './evaluated-facets.ts';
import { addComments, missingComments, type CommentOnRow } from './rule-comments.ts';
import type { ContextRow } from '../rule-rows.queries.ts';
import type { LoadedRules } from '../rule-set.ts';
import type { RunTally } from './run-tally.ts';

interface ChunkOptions {
  /** What the timeline shows: `apply`, `apply_all`, `import` or `sync`. */
  appliedBy: string;
  overwriteManual: boolean;
  /** If a rule fails on a row: stop the run, or drop the effects of the rule and continue (contract 40.5). */
  onFailure: 'stop' | 'drop';
}

/** A row with the result of its evaluation. */
export interface EvaluatedRow {
  context: ContextRow;
  evaluation: Evaluation;
}

/**
 * Runs rules over some rows and writes the changes and comments in the given unit of work. Counts everything in the
 * tally, hits included.
 */
export async function runChunk(
  tx: WriteTx,
  loaded: LoadedRules,
  rows: readonly ContextRow[],
  options: ChunkOptions,
  tally: RunTally,
): Promise<readonly EvaluatedRow[]> {
  const evaluated: EvaluatedRow[] = [];
  const wanted: CommentOnRow[] = [];
  for (const context of rows) {
    const evaluation = evaluateRow(loaded.set, context.row, { overwriteManual: options.overwriteManual });
    if (evaluation.hits.length === 0 && evaluation.failed.length === 0) continue;
    const [failure] = evaluation.failed;
    if (failure && options.onFailure === 'stop') throw failure.error;
    for (const comment of evaluation.comments) wanted.push({ ...comment, transactionId: context.id });
    evaluated.push({ context, evaluation });
  }
  const comments = await missingComments(tx, wanted);
  await writeFacets(tx, await editsOf(tx, evaluated, options.appliedBy));
  const names = new Map(loaded.rules.map(({ id, name }) => [id, name]));
  await addComments(tx, comments, (ruleId) => names.get(ruleId) ?? '', options.appliedBy);
  tally.scanned(rows.length);
  const commented = new Map<string, Set<string>>();
  for (const { transactionId, ruleId } of comments) {
    commented.set(transactionId, (commented.get(transactionId) ?? new Set<string>()).add(ruleId));
  }
  for (const { context, evaluation } of evaluated) tally.row(evaluation, commented.get(context.id));
  return evaluated;
}

/** Usually few rows change; only those are read in full. */
async function editsOf(tx: WriteTx, evaluated: readonly EvaluatedRow[], appliedBy: string): Promise<FacetEdit[]> {
  const changing = evaluated.filter(({ evaluation }) => evaluation.changes.length > 0);
  if (changing.length === 0) return [];
  const facets = await loadFacets(
    tx,
    changing.map(({ context }) => context.id),
  );
  return changing.flatMap(({ context, evaluation }) => {
    const edit = editOf(facets.get(context.id) as Facets, evaluation, tx.now, appliedBy);
    return edit ? [edit] : [];
  });
}
