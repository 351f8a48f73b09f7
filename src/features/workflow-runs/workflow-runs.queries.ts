import { sql, type RawBuilder, type Selectable } from 'kysely';

import type { WorkflowRunsTable } from '../../db/schema-workflows.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import type { Position } from '../../kernel/cursor.ts';
import type { ChangeSetStatus } from '../change-sets/index.ts';
import type { OldRows } from '../old-rows.ts';

/** What is shown of a run, and not its definition, which is large. */
export const RUN_COLUMNS = [
  'id',
  'short_id',
  'workflow_id',
  'workflow_slug',
  'workflow_name',
  'trigger',
  'status',
  'skip_reason',
  'cancel_requested_at',
  'tool_scope',
  'started_at',
  'completed_at',
  'duration_ms',
  'model_provider',
  'model',
  'total_cost_micros',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'turn_count',
  'num_tool_calls',
  'max_turns_used',
  'hit_cap',
  'error_code',
  'error_message',
  'result_text',
  'operator_note',
  'prompt_prefix',
  'starter_type',
  'starter_id',
  'starter_name',
  'transcript_lines',
  'created_at',
] as const;

export type RunRow = Pick<Selectable<WorkflowRunsTable>, (typeof RUN_COLUMNS)[number]>;

/** Filters of a list of runs. */
export interface RunFilter {
  /** UUIDs of workflows, existing or not; undefined: all. */
  workflowIds?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
  triggers?: readonly string[] | undefined;
  skipReasons?: readonly string[] | undefined;
  /** `any`: whatever the cap. */
  caps?: readonly string[] | undefined;
  /** Instant, inclusive. */
  from?: string | undefined;
  /** Instant, exclusive. */
  to?: string | undefined;
}

/** Newest first. */
export async function selectRuns(
  tx: ReadTx,
  filter: RunFilter,
  after: Position | null,
  limit: number,
): Promise<RunRow[]> {
  let query = tx.q.selectFrom('workflow_runs').select(RUN_COLUMNS);
  for (const condition of conditionsOf(tx, filter)) query = query.where(condition);
  if (after) query = query.where(sql<boolean>`(started_at, id) < (${after.key}, ${after.id})`);
  return query.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

function* conditionsOf(tx: ReadTx, filter: RunFilter): Generator<RawBuilder<boolean>> {
  const lists = [
    ['workflow_id', filter.workflowIds],
    ['status', filter.statuses],
    ['trigger', filter.triggers],
    ['skip_reason', filter.skipReasons],
  ] as const;
  for (const [column, values] of lists) if (values) yield tx.portable.inList(sql.ref(column), values);
  if (filter.caps?.includes('any')) yield sql<boolean>`hit_cap is not null`;
  else if (filter.caps) yield tx.portable.inList(sql.ref('hit_cap'), filter.caps);
  if (filter.from !== undefined) yield sql<boolean>`started_at >= ${filter.from}`;
  if (filter.to !== undefined) yield sql<boolean>`started_at < ${filter.to}`;
}

/** By UUID or short_id. */
export async function findRun(tx: ReadTx, anyId: string): Promise<RunRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('workflow_runs').select(RUN_COLUMNS).where(column, '=', anyId).executeTakeFirst();
}

/** UUIDs of the workflows that had this slug or id when they ran. */
export async function selectWorkflowIdsOfRuns(tx: ReadTx, named: string): Promise<string[]> {
  const rows = await tx.q
    .selectFrom('workflow_runs')
    .select('workflow_id')
    .distinct()
    .where((eb) => eb.or([eb('workflow_slug', '=', named), eb('workflow_id', '=', named)]))
    .execute();
  return rows.map(({ workflow_id: id }) => id);
}

/** What is said of a run besides its own columns. */
export interface RunTraces {
  isWorkflowThere: boolean;
  reportIds: readonly string[];
  proposalId: string | null;
  changeSetCount: number;
  changeSetStatus: ChangeSetStatus | null;
}

/** Of several runs, in one query each. */
export async function selectTraces(tx: ReadTx, runs: readonly RunRow[]): Promise<ReadonlyMap<string, RunTraces>> {
  const ids = runs.map(({ id }) => id);
  const among = (column: string): RawBuilder<boolean> => tx.portable.inList(sql.ref(column), ids);
  const workflowIds = [...new Set(runs.map(({ workflow_id: id }) => id))];
  const workflows = await tx.q
    .selectFrom('workflows')
    .select('id')
    .where(tx.portable.inList(sql.ref('id'), workflowIds))
    .execute();
  const reports = await tx.q
    .selectFrom('reports')
    .select(['id', 'workflow_run_id'])
    .where(among('workflow_run_id'))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const proposals = await tx.q.selectFrom('proposals').select(['id', 'run_id']).where(among('run_id')).execute();
  const changeSets = await selectSetsOfRuns(tx, among('s.workflow_run_id'));
  const there = new Set(workflows.map(({ id }) => id));
  const ofRun = Map.groupBy(reports, ({ workflow_run_id: id }) => id);
  const proposalOf = new Map(proposals.map(({ id, run_id: runId }) => [runId, id]));
  const setsOf = new Map(changeSets.map((one) => [one.run_id, one]));
  return new Map(
    runs.map(({ id, workflow_id: workflowId }) => [
      id,
      {
        isWorkflowThere: there.has(workflowId),
        reportIds: (ofRun.get(id) ?? []).map((report) => report.id),
        proposalId: proposalOf.get(id) ?? null,
        changeSetCount: setsOf.get(id)?.count ?? 0,
        changeSetStatus: statusOf(setsOf.get(id)),
      },
    ]),
  );
}

interface SetsOfRun {
  run_id: string;
  count: number;
  /** Without what undid another of them. */
  lasting: number;
  applied: number;
  reverted: number;
}

async function selectSetsOfRuns(tx: ReadTx, ofRuns: RawBuilder<boolean>): Promise<SetsOfRun[]> {
  const { rows } = await sql<SetsOfRun>`
    select s.workflow_run_id as run_id, count(*) as count, count(*) filter (where u.id is null) as lasting,
      count(*) filter (where u.id is null and s.status = 'applied') as applied,
      count(*) filter (where u.id is null and s.status = 'reverted') as reverted
    from change_sets s
    left join change_sets u on u.id = s.reverts_change_set_id and u.workflow_run_id = s.workflow_run_id
    where ${ofRuns} group by s.workflow_run_id`.execute(tx.q);
  return rows;
}

function statusOf(sets: SetsOfRun | undefined): ChangeSetStatus | null {
  if (sets === undefined || sets.lasting === 0) return null;
  if (sets.reverted === sets.lasting) return 'reverted';
  return sets.applied === sets.lasting ? 'applied' : 'partly_reverted';
}

export interface LineRow {
  seq: number;
  type: string;
  ts: string;
  /** JSON object. */
  data: string;
}

/** The lines of a transcript after this one, one by one: all of them can be 20 MiB. */
export function linesAfter(tx: ReadTx, runId: string, after: number): AsyncIterable<LineRow> {
  const query = tx.q
    .selectFrom('workflow_run_lines')
    .select(['seq', 'type', 'ts', 'data'])
    .where('run_id', '=', runId)
    .where('seq', '>', after)
    .orderBy('seq');
  return tx.iterate(query.compile());
}

/** The newest run before this one that was neither skipped nor cancelled. */
export async function findPrevious(tx: ReadTx, run: RunRow): Promise<Pick<RunRow, 'status'> | undefined> {
  const { rows } = await sql<Pick<RunRow, 'status'>>`select status from workflow_runs
    where workflow_id = ${run.workflow_id} and status not in ('skipped', 'cancelled')
      and (started_at, id) < (${run.started_at}, ${run.id})
    order by started_at desc, id desc limit 1`.execute(tx.q);
  return rows[0];
}

const OLD = sql`status <> 'in_progress' and not exists (select 1 from proposals
  where run_id = workflow_runs.id and proposals.status in ('draft', 'proposed'))`;

/** Deletes finished runs with their transcripts. */
export async function deleteRunsBefore(
  tx: BareWriteTx,
  instant: string,
): Promise<{ runs: number; transcripts: number }> {
  const { rows } = await sql<{ transcript_lines: number }>`delete from workflow_runs
    where ${runsBefore(instant).isOld} returning transcript_lines`.execute(tx.q);
  return { runs: rows.length, transcripts: rows.filter(({ transcript_lines: lines }) => lines > 0).length };
}

export function runsBefore(instant: string): OldRows {
  const isOld = sql`coalesce(completed_at, started_at) < ${instant} and ${OLD}`;
  return { table: 'workflow_runs', key: ['id'], isOld };
}
