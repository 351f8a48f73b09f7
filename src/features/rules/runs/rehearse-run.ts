import type { ReadTx } from '../../../db/unit-of-work.ts';
import { renderChanges } from '../../../engines/rules/changes.ts';
import { evaluateRow } from '../../../engines/rules/evaluate.ts';
import { transactionsById } from '../../transactions/index.ts';
import { missingComments } from './rule-comments.ts';
import type { ContextRow } from '../rule-rows.queries.ts';
import type { LoadedRules } from '../rule-set.ts';
import type { EvaluatedRow } from './run-chunk.ts';
import { newTally, type RunTally } from './run-tally.ts';
import type { LedgerScan } from './scan-ledger.ts';

export interface Rehearsal {
  tally: RunTally;
  /** The newest matches, as previews and dry runs show them. */
  samples: readonly Record<string, unknown>[];
}

interface RehearsalOptions {
  overwriteManual: boolean;
  sampleSize: number;
  /** Called with the rows of each chunk. */
  onRows?: ((rows: readonly ContextRow[]) => void) | undefined;
}

/** What a run would do (contract 40.1). Evaluates the same rows in the same way and writes nothing. */
export async function rehearseRun(
  tx: ReadTx,
  loaded: LoadedRules,
  scan: LedgerScan,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  const tally = newTally();
  const newest: EvaluatedRow[] = [];
  // A run without rules looks at no row either.
  if (loaded.rules.length === 0) return { tally, samples: [] };
  for await (const rows of scan.chunks) {
    const matched = evaluateAll(loaded, rows, options.overwriteManual);
    const commenting = await commentingRules(tx, matched);
    tally.scanned(rows.length);
    for (const one of matched) tally.row(one.evaluation, commenting.get(one.context.id));
    if (newest.length < options.sampleSize) newest.push(...matched.slice(0, options.sampleSize - newest.length));
    options.onRows?.(rows);
  }
  return { tally, samples: await samplesOf(tx, loaded, newest) };
}

/** Rows that at least one rule matches. @throws what a failing rule threw, because a run would stop there */
function evaluateAll(loaded: LoadedRules, rows: readonly ContextRow[], overwriteManual: boolean): EvaluatedRow[] {
  const matched: EvaluatedRow[] = [];
  for (const context of rows) {
    const evaluation = evaluateRow(loaded.set, context.row, { overwriteManual });
    const [failure] = evaluation.failed;
    if (failure) throw failure.error;
    if (evaluation.hits.length > 0) matched.push({ context, evaluation });
  }
  return matched;
}

/** Rules whose comment would be added, by transaction. */
async function commentingRules(tx: ReadTx, rows: readonly EvaluatedRow[]): Promise<Map<string, Set<string>>> {
  const wanted = rows.flatMap(({ context, evaluation }) =>
    evaluation.comments.map((comment) => ({ ...comment, transactionId: context.id })),
  );
  const found = new Map<string, Set<string>>();
  for (const { transactionId, ruleId } of await missingComments(tx, wanted)) {
    found.set(transactionId, (found.get(transactionId) ?? new Set<string>()).add(ruleId));
  }
  return found;
}

async function samplesOf(
  tx: ReadTx,
  loaded: LoadedRules,
  rows: readonly EvaluatedRow[],
): Promise<readonly Record<string, unknown>[]> {
  const records = await transactionsById(
    tx,
    rows.map(({ context }) => context.id),
  );
  const samples: Record<string, unknown>[] = [];
  for (const { context, evaluation } of rows) {
    const wanted = evaluation.comments.map((comment) => ({ ...comment, transactionId: context.id }));
    samples.push({
      transaction: records.get(context.id) ?? {},
      changes: renderChanges(evaluation.changes, await missingComments(tx, wanted), loaded.catalog),
      skipped: evaluation.hits.flatMap(({ skipped }) => skipped),
    });
  }
  return samples;
}
