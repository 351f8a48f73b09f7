import { sql, type RawBuilder } from 'kysely';

import type { ReportsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

export interface ReportFilter {
  isRead?: boolean | undefined;
  priorities?: readonly string[] | undefined;
  kinds?: readonly string[] | undefined;
  /** Any of these. */
  tags?: readonly string[] | undefined;
  /** UUID of the run that submitted it. */
  runId?: string | undefined;
}

/** Newest first. */
export async function selectReports(tx: ReadTx, filter: ReportFilter, limit?: number): Promise<ReportsTable[]> {
  const conditions = [...conditionsOf(tx, filter)];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const first = limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`;
  const { rows } = await sql<ReportsTable>`select * from reports ${where}
    order by created_at desc, id desc ${first}`.execute(tx.q);
  return rows;
}

function* conditionsOf(tx: ReadTx, filter: ReportFilter): Generator<RawBuilder<unknown>> {
  const { isRead, priorities, kinds, tags, runId } = filter;
  if (isRead === true) yield sql`read_at is not null`;
  if (isRead === false) yield sql`read_at is null`;
  if (priorities) yield tx.portable.inList(sql.ref('priority'), priorities);
  if (kinds) yield tx.portable.inList(sql.ref('kind'), kinds);
  if (tags) yield tx.portable.jsonHasAny(sql.ref('tags'), tags);
  if (runId !== undefined) yield sql`workflow_run_id = ${runId}`;
}

const PRIORITIES = ['critical', 'warning', 'info'] as const;

export interface UnreadReports {
  count: number;
  /** The highest priority among them; null if there are none. */
  priority: (typeof PRIORITIES)[number] | null;
  /** When the oldest of them was submitted. */
  since: string | null;
}

export async function countUnread(tx: ReadTx): Promise<UnreadReports> {
  const rows = await tx.q
    .selectFrom('reports')
    .select(({ fn }) => ['priority', fn.countAll<number>().as('count'), fn.min('created_at').as('since')])
    .where('read_at', 'is', null)
    .groupBy('priority')
    .execute();
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    priority: PRIORITIES.find((one) => rows.some(({ priority }) => priority === one)) ?? null,
    since: rows.map(({ since }) => since).sort()[0] ?? null,
  };
}

/** The newest report of this author with exactly this title and body, submitted since an instant. */
export async function selectSameReport(
  tx: ReadTx,
  report: Pick<ReportsTable, 'author_id' | 'author_name' | 'author_type' | 'title' | 'body'>,
  since: string,
): Promise<ReportsTable | undefined> {
  const same = tx.q
    .selectFrom('reports')
    .selectAll()
    .where('created_at', '>=', since)
    .where('author_type', '=', report.author_type)
    .where('title', '=', report.title)
    .where('body', '=', report.body)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  // Agents without a key have only their name.
  const { author_id: id, author_name: name } = report;
  return (
    id === null ? same.where('author_id', 'is', null).where('author_name', '=', name) : same.where('author_id', '=', id)
  ).executeTakeFirst();
}

export async function countReportsOfRun(tx: ReadTx, runId: string): Promise<number> {
  const { count } = await tx.q
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('workflow_run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
