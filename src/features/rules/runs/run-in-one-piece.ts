import type { WriteTx } from '../../../journal/write.ts';
import { AppError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { loadRulesOf, namesOf, resultOf, type ApplyRequest } from './apply-request.ts';
import { rehearseRun } from './rehearse-run.ts';
import { selectContextAfter } from '../rule-rows.queries.ts';
import type { LoadedRules } from '../rule-set.ts';
import { runChunk } from './run-chunk.ts';
import { newTally, type RunTally } from './run-tally.ts';
import { scanLedger } from './scan-ledger.ts';

/**
 * Runs rules over all transactions inside a transaction, for a proposal: without a job, and without commits between
 * (contract 40.8.4). Answers what a request for a run answers.
 * @throws PLAN_TOO_LARGE, RULE_NOT_APPLICABLE
 */
export async function runInOnePiece(tx: WriteTx, request: ApplyRequest): Promise<Record<string, unknown>> {
  const loaded = await loadRulesOf(tx, request, tx.now);
  const { overwriteManual, isDryRun } = request;
  if (isDryRun) {
    const options = { overwriteManual, sampleSize: LIMITS.ruleSamplesDefault };
    const { tally, samples } = await rehearseRun(tx, loaded, scanLedger(tx, loaded.household, loaded.parts), options);
    return resultOf(request, tally, loaded, null, samples);
  }
  const { action, appliedBy } = namesOf(request);
  const tally = await runAll(tx, loaded, { appliedBy, overwriteManual });
  tx.journal.refine({ action, source: 'rule', ruleId: request.ruleId });
  return resultOf(request, tally, loaded, null);
}

async function runAll(
  tx: WriteTx,
  loaded: LoadedRules,
  how: { appliedBy: string; overwriteManual: boolean },
): Promise<RunTally> {
  const tally = newTally();
  for (let after: string | null = ''; after !== null && loaded.rules.length > 0;) {
    const rows = await selectContextAfter(tx, loaded.household, loaded.parts, after, LIMITS.ruleChunkRows);
    await runChunk(tx, loaded, rows, { ...how, onFailure: 'stop' }, tally);
    // The plan leaves out what was proposed before, so the run may change more rows than the plan will hold.
    if (tally.affectedCount > LIMITS.proposalChangesRecorded) throw tooLarge();
    after = rows.length < LIMITS.ruleChunkRows ? null : (rows.at(-1)?.id ?? null);
  }
  return tally;
}

function tooLarge(): AppError {
  const message =
    `The rules would change more than ${LIMITS.proposalChangesRecorded} transactions, but a proposal can have at most ` +
    `${LIMITS.proposalChanges} changes. Nothing was proposed. Run one rule at a time, or ask a person to run them.`;
  return new AppError('PLAN_TOO_LARGE', message);
}
