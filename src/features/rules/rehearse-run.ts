import type { ReadTx } from '../../db/unit-of-work.ts';
import { renderChanges } from '../../engines/rules/changes.ts';
import { evaluateRow } from '../../engines/rules/evaluate.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { transactionsById } from '../transactions/index.ts';
import { missingComments } from './rule-comments.ts';
import { selectContextAfter, selectContextBefore, type ContextRow } from './rule-rows.queries.ts';
import type { LoadedRules } from './rule-set.ts';
import type { EvaluatedRow } from './run-chunk.ts';
import { newTally, type RunTally } from './run-tally.ts';

export interface Rehearsal {
  tally: RunTally;
  /** The newest matches, as preview and dry runs show them. */
  samples: readonly Record<string, unknown>[];
  /** Whether the scan ended early; the counts are then of the newest rows. */
  isTruncated: boolean;
}

export interface RehearsalOptions {
  overwriteManual: boolean;
  sampleSize: number;
  /** Milliseconds after which the scan stops; rows are taken newest first then. */
  deadline: (() => boolean) | null;
}

const NEWEST = { date: '9999-12-31', id: 'g' };

/** What a run would do, without writing anything: the same evaluation over the same rows (contract 40.1). */
export async function rehearseRun(tx: ReadTx, loaded: LoadedRules, options: RehearsalOptions): Promise<Rehearsal> {
  const tally = newTally();
  const newest: EvaluatedRow[] = [];
  let isTruncated = false;
  for await (const rows of chunksOf(tx, loaded, options.deadline !== null)) {
    const matched = evaluateAll(loaded, rows, options.overwriteManual);
    const commenting = await commentingRules(tx, matched);
    tally.scanned(rows.length);
    for (const one of matched) tally.row(one.evaluation, commenting.get(one.context.facets.id));
    keepNewest(newest, matched, options.sampleSize);
    if (options.deadline?.() === true) {
      isTruncated = true;
      break;
    }
  }
  return { tally, samples: await samplesOf(tx, loaded, newest), isTruncated };
}

async function* chunksOf(tx: ReadTx, loaded: LoadedRules, isNewestFirst: boolean): AsyncGenerator<ContextRow[]> {
  let before = NEWEST;
  let after = '';
  for (;;) {
    const rows = isNewestFirst
      ? await selectContextBefore(tx, loaded.world, before, LIMITS.ruleChunkRows)
      : await selectContextAfter(tx, loaded.world, after, LIMITS.ruleChunkRows);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < LIMITS.ruleChunkRows) return;
    before = { date: last.row.date, id: last.facets.id };
    after = last.facets.id;
  }
}

/** Rows that at least one rule matches. @throws what a failing rule threw, as a run would stop there */
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
    evaluation.comments.map((comment) => ({ ...comment, transactionId: context.facets.id })),
  );
  const found = new Map<string, Set<string>>();
  for (const { transactionId, ruleId } of await missingComments(tx, wanted)) {
    found.set(transactionId, (found.get(transactionId) ?? new Set<string>()).add(ruleId));
  }
  return found;
}

function keepNewest(newest: EvaluatedRow[], more: readonly EvaluatedRow[], count: number): void {
  const oldest = newest.at(-1);
  for (const one of more) {
    if (newest.length < count || (oldest && compareNewest(one, oldest) < 0)) newest.push(one);
  }
  newest.sort(compareNewest);
  newest.length = Math.min(newest.length, count);
}

/** Date descending, then id descending. */
function compareNewest(a: EvaluatedRow, b: EvaluatedRow): number {
  const [keyA, keyB] = [a, b].map(({ context }) => `${context.row.date}${context.facets.id}`) as [string, string];
  return keyA < keyB ? 1 : keyA > keyB ? -1 : 0;
}

async function samplesOf(
  tx: ReadTx,
  loaded: LoadedRules,
  rows: readonly EvaluatedRow[],
): Promise<readonly Record<string, unknown>[]> {
  const records = await transactionsById(
    tx,
    rows.map(({ context }) => context.facets.id),
  );
  const samples: Record<string, unknown>[] = [];
  for (const { context, evaluation } of rows) {
    const wanted = evaluation.comments.map((comment) => ({ ...comment, transactionId: context.facets.id }));
    samples.push({
      transaction: records.get(context.facets.id) ?? {},
      changes: renderChanges(evaluation.changes, await missingComments(tx, wanted), loaded.catalog),
      skipped: evaluation.hits.flatMap(({ skipped }) => skipped),
    });
  }
  return samples;
}
