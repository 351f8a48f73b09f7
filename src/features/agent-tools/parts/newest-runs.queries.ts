import { sql } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';
import { dollarsOf } from '../../../kernel/dollars.ts';

interface RunSummary {
  id: string;
  short_id: string;
  status: string;
  trigger: string;
  started_at: string;
  total_cost_usd: number | null;
  proposal_id: string | null;
  hit_cap: string | null;
}

/** The newest runs of each workflow that exists, by its UUID. */
export async function selectNewestRuns(tx: ReadTx, count: number): Promise<ReadonlyMap<string, RunSummary[]>> {
  const newest = tx.portable.jsonArray(
    sql`select id as value from workflow_runs where workflow_id = w.id
      order by started_at desc, id desc limit ${sql.lit(count)}`,
  );
  const { rows: lists } = await sql<{ id: string; runs: string }>`
    select w.id, ${newest} as runs from workflows w`.execute(tx.q);
  const idsOf = new Map(lists.map(({ id, runs }) => [id, JSON.parse(runs) as string[]]));
  const found = await selectRuns(tx, [...idsOf.values()].flat());
  return new Map([...idsOf].map(([id, runs]) => [id, runs.flatMap((run) => found.get(run) ?? [])]));
}

async function selectRuns(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, RunSummary>> {
  const { rows } = await sql<Omit<RunSummary, 'total_cost_usd'> & { micros: number | null }>`
    select r.id, r.short_id, r.status, r.trigger, r.started_at, r.total_cost_micros as micros, p.id as proposal_id,
      r.hit_cap
    from workflow_runs r left join proposals p on p.run_id = r.id
    where ${tx.portable.inList(sql.ref('r.id'), ids)}`.execute(tx.q);
  return new Map(
    rows.map(({ micros, ...run }) => [run.id, { ...run, total_cost_usd: micros === null ? null : dollarsOf(micros) }]),
  );
}
