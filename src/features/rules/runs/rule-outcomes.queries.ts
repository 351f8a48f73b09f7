import { sql, type Selectable } from 'kysely';

import type { RuleRunsTable } from '../../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import { DAY_MS, instantAfter } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { deleteSome, type OldRows } from '../../old-rows.ts';
import type { RunTally } from './run-tally.ts';

/** The run that hits belong to. */
export type RunOrigin = Pick<
  RuleRunsTable,
  'run_id' | 'run_type' | 'import_id' | 'sync_log_id' | 'change_set_id' | 'institution_name' | 'status' | 'started_at'
>;

/**
 * Adds a part of a run to the hit counters and the history of each rule that matched, in the transaction of the changes
 * (contract 40.6). Later parts of a run add to its entry in the history.
 */
export async function recordHits(tx: BareWriteTx, run: RunOrigin, tally: RunTally): Promise<void> {
  await countHits(tx, tally, run.started_at);
  const counts = matchesOf(tally);
  if (counts.length === 0) return;
  await tx.insertMany(
    'rule_runs',
    [
      'rule_id',
      'run_id',
      'run_type',
      'sync_log_id',
      'import_id',
      'change_set_id',
      'institution_name',
      'status',
      'hit_count',
      'changed_count',
      'started_at',
    ],
    counts.map(([ruleId, { matched, affected }]) => [
      ruleId,
      run.run_id,
      run.run_type,
      run.sync_log_id,
      run.import_id,
      run.change_set_id,
      run.institution_name,
      run.status,
      matched,
      affected,
      run.started_at,
    ]),
    `on conflict (rule_id, run_id) do update set hit_count = rule_runs.hit_count + excluded.hit_count,
      changed_count = rule_runs.changed_count + excluded.changed_count,
      change_set_id = coalesce(excluded.change_set_id, rule_runs.change_set_id)`,
  );
}

/** Adds hits only to the counters: a row entered by hand is not a run in the history. */
export async function countHits(tx: BareWriteTx, tally: RunTally, at: string): Promise<void> {
  await tx.insertMany(
    'rule_hits',
    ['rule_id', 'hit_count', 'last_hit_at'],
    matchesOf(tally).map(([ruleId, { matched }]) => [ruleId, matched, at]),
    `on conflict (rule_id) do update set hit_count = rule_hits.hit_count + excluded.hit_count,
      last_hit_at = case when rule_hits.last_hit_at > excluded.last_hit_at then rule_hits.last_hit_at
        else excluded.last_hit_at end`,
  );
}

function matchesOf(tally: RunTally) {
  return [...tally.byRule].filter(([, { matched }]) => matched > 0);
}

/** Runs in which a rule matched, newest first. */
export async function selectHistory(
  tx: ReadTx,
  ruleId: string,
  { run_type: types, limit }: { run_type?: readonly string[] | undefined; limit: number },
): Promise<Selectable<RuleRunsTable>[]> {
  const runs = tx.q.selectFrom('rule_runs').selectAll().where('rule_id', '=', ruleId);
  const wanted = types?.length ? runs.where('run_type', 'in', [...types]) : runs;
  return wanted.orderBy('started_at', 'desc').orderBy('run_id', 'desc').limit(limit).execute();
}

/** Marks a run as ended. */
export async function endRun(tx: BareWriteTx, runId: string): Promise<void> {
  await tx.q.updateTable('rule_runs').set({ status: 'success' }).where('run_id', '=', runId).execute();
  await deleteSome(tx, oldRuleRuns(tx.now));
}

/** Runs that are older than the history reaches back; those of syncs go with their log. */
export function oldRuleRuns(now: string): OldRows {
  const oldest = instantAfter(now, -LIMITS.ruleHistoryDays * DAY_MS);
  return { table: 'rule_runs', key: ['rule_id', 'run_id'], isOld: sql`started_at < ${oldest} and sync_log_id is null` };
}

/** Runs of syncs whose log is gone. */
export const RUNS_OF_GONE_SYNCS: OldRows = {
  table: 'rule_runs',
  key: ['rule_id', 'run_id'],
  isOld: sql`sync_log_id is not null
    and not exists (select 1 from sync_logs where sync_logs.id = rule_runs.sync_log_id)`,
};

/** Deletes runs of syncs whose log is gone. */
export async function forgetRunsOfGoneSyncs(tx: BareWriteTx): Promise<void> {
  await sql`delete from rule_runs where ${RUNS_OF_GONE_SYNCS.isOld}`.execute(tx.q);
}
