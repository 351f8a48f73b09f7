import type { z } from 'zod';

import type { ReportsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { HOUR_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { actorOf, type Principal } from '../handler.ts';
import { raise } from '../notifications/index.ts';
import type { Report, createReport } from './reports.contract.ts';
import { reports, toReport } from './reports.entity.ts';
import { countReportsOfRun, selectSameReport } from './reports.queries.ts';

type NewReport = z.output<NonNullable<(typeof createReport)['body']>>;
type ReportRecord = z.output<typeof Report>;

/**
 * Stores a report of the caller, and its notifications. The request may choose the author's name, but not who the author
 * is.
 */
export async function createReportRow(
  tx: WriteTx,
  principal: Principal | null,
  { tags, author_name: authorName, ...fields }: NewReport,
  workflowRunId: string | null = null,
): Promise<ReportsTable> {
  const actor = actorOf(principal);
  if (workflowRunId !== null) await refuseTooMany(tx, workflowRunId);
  tx.journal.summarise('Submitted a report');
  const row = await reports.create(tx, {
    ...fields,
    tags: JSON.stringify(tags),
    author_type: actor.type,
    author_id: actor.id,
    author_name: authorName ?? actor.name,
    workflow_run_id: workflowRunId,
  });
  await raise(tx, {
    event: 'report.created',
    occurrenceId: row.id,
    priority: fields.priority,
    title: row.title,
    body: row.body,
    data: { report_id: row.id },
    subjectType: 'report',
    subjectId: row.id,
  });
  return row;
}

/** @throws VALIDATION_ERROR */
async function refuseTooMany(tx: WriteTx, runId: string): Promise<void> {
  if ((await countReportsOfRun(tx, runId)) < LIMITS.runReports) return;
  const message = `This run has already submitted ${LIMITS.runReports} reports, the most that it may. Nothing was done.`;
  throw new AppError('VALIDATION_ERROR', message);
}

/**
 * The report that this caller has already submitted within a day under the same title and body: an agent whose answer
 * was lost says it again (contract 70.2).
 */
export async function findRecentReport(
  tx: WriteTx,
  principal: Principal | null,
  { title, body, author_name: authorName }: Pick<NewReport, 'title' | 'body' | 'author_name'>,
): Promise<ReportRecord | undefined> {
  const { type, id, name } = actorOf(principal);
  const since = instantAfter(tx.now, -LIMITS.reportRepeatHours * HOUR_MS);
  const author = { author_type: type, author_id: id, author_name: authorName ?? name };
  const report = { title: title.trim(), body, ...author };
  const row = await selectSameReport(tx, report, since);
  return row && toReport(row);
}
