import { sql, type RawBuilder } from 'kysely';

import type { WorkflowRunsTable, WorkflowsTable } from '../../db/schema-workflows.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';

/** By slug, then UUID, then short_id: a slug may look like either. */
export async function findWorkflow(tx: ReadTx, named: string): Promise<WorkflowsTable | undefined> {
  const by = (name: 'slug' | 'id' | 'short_id') =>
    tx.q.selectFrom('workflows').selectAll().where(name, '=', named).executeTakeFirst();
  const column = idColumn(named);
  return (await by('slug')) ?? (column && by(column));
}

export async function findById(tx: ReadTx, id: string): Promise<WorkflowsTable | undefined> {
  return tx.q.selectFrom('workflows').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function isSlugTaken(tx: ReadTx, slug: string): Promise<boolean> {
  return (await tx.q.selectFrom('workflows').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined;
}

/** Newest first. */
export async function selectWorkflows(tx: ReadTx): Promise<WorkflowsTable[]> {
  return tx.q.selectFrom('workflows').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
}

/** The slugs that begin so: the few among which a free one is looked for. */
export async function selectSlugsLike(tx: ReadTx, start: string): Promise<string[]> {
  const rows = await tx.q
    .selectFrom('workflows')
    .select('slug')
    .where('slug', '>=', start)
    .where('slug', '<', `${start}~`)
    .execute();
  return rows.map(({ slug }) => slug);
}

/** Asks the run in progress to end. Whoever works on it does the rest. */
export async function cancelRunOf(tx: WriteTx, workflowId: string): Promise<void> {
  await sql`update workflow_runs set cancel_requested_at = ${tx.now}
    where workflow_id = ${workflowId} and status = 'in_progress' and cancel_requested_at is null`.execute(tx.q);
}

/** What the record of a workflow says of its runs. */
export interface RunFigures {
  lastRun: LastRun | null;
  runCount: number;
  costMicros: number;
  /** Of the newest finished runs. */
  finishedCount: number;
  errorCount: number;
  capCount: number;
  lastPrefix: string | null;
}

export type LastRun = Pick<
  WorkflowRunsTable,
  | 'id'
  | 'short_id'
  | 'status'
  | 'trigger'
  | 'started_at'
  | 'completed_at'
  | 'duration_ms'
  | 'total_cost_micros'
  | 'hit_cap'
>;

const LAST_RUN = [
  'id',
  'short_id',
  'status',
  'trigger',
  'started_at',
  'completed_at',
  'duration_ms',
  'total_cost_micros',
  'hit_cap',
] as const;

const RECENT_RUNS = 5;

/**
 * Of all workflows, or of this one, in two queries. Each figure is read along an index from the newest run, and none
 * reads a run that was skipped: an hourly schedule may have left thousands.
 */
export async function selectRunFigures(
  tx: ReadTx,
  since: string,
  workflowId?: string,
): Promise<ReadonlyMap<string, RunFigures>> {
  const { rows } = await figures(since, workflowId).execute(tx.q);
  const lastIds = rows.flatMap(({ last_run_id: id }) => (id === null ? [] : [id]));
  const lastRuns = await tx.q
    .selectFrom('workflow_runs')
    .select(LAST_RUN)
    .where(tx.portable.inList(sql.ref('id'), lastIds))
    .execute();
  const byId = new Map(lastRuns.map((run) => [run.id, run]));
  return new Map(
    rows.map((row) => [
      row.id,
      {
        lastRun: row.last_run_id === null ? null : (byId.get(row.last_run_id) ?? null),
        runCount: row.run_count,
        costMicros: row.cost_micros ?? 0,
        finishedCount: row.finished_count,
        errorCount: row.error_count,
        capCount: row.cap_count,
        lastPrefix: row.last_prefix,
      },
    ]),
  );
}

interface FigureRow {
  id: string;
  last_run_id: string | null;
  run_count: number;
  cost_micros: number | null;
  finished_count: number;
  error_count: number;
  cap_count: number;
  last_prefix: string | null;
}

// The conditions repeat those of partial indexes word for word, because only then are these used.
const NOT_SKIPPED = sql`workflow_id = w.id and status <> 'skipped'`;
const NEWEST_FIRST = sql`order by started_at desc, id desc`;

function figures(since: string, workflowId: string | undefined): RawBuilder<FigureRow> {
  const finished = sql`select status, hit_cap from workflow_runs
    where ${NOT_SKIPPED} and status <> 'in_progress' ${NEWEST_FIRST} limit ${sql.lit(RECENT_RUNS)}`;
  const recent = sql`from workflow_runs where ${NOT_SKIPPED} and started_at >= ${since}`;
  const only = workflowId === undefined ? sql`` : sql`where w.id = ${workflowId}`;
  return sql<FigureRow>`select w.id,
    (select id from workflow_runs where ${NOT_SKIPPED} ${NEWEST_FIRST} limit 1) as last_run_id,
    (select count(*) ${recent}) as run_count,
    (select cast(sum(total_cost_micros) as bigint) ${recent}) as cost_micros,
    (select count(*) from (${finished}) as f) as finished_count,
    (select count(*) from (${finished}) as f where status in ('error', 'timeout')) as error_count,
    (select count(*) from (${finished}) as f where hit_cap is not null) as cap_count,
    (select prompt_prefix from workflow_runs
      where workflow_id = w.id and prompt_prefix is not null ${NEWEST_FIRST} limit 1) as last_prefix
    from workflows w ${only}`;
}
