import type { ReportsTable } from '../../db/schema.ts';
import { findIdOf } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { notFound, unknownId } from '../../kernel/errors.ts';
import { Reply, handleRead, handleWrite, runIdOf } from '../handler.ts';
import * as contract from './reports.contract.ts';
import { reports, toReport } from './reports.entity.ts';
import { countUnread, selectReports } from './reports.queries.ts';
import { createReportRow } from './submit-report.ts';

export const listReports = handleRead(contract.listReports, async ({ tx }, { query }) => {
  const runId = query.workflow_run_id === undefined ? undefined : await runOf(tx, query.workflow_run_id);
  const filter = { isRead: query.read, priorities: query.priority, kinds: query.kind, tags: query.tag, runId };
  return (await selectReports(tx, filter, query.limit)).map(toReport);
});

/** Reports can outlive their run. @throws INVALID_PARAMETER */
async function runOf(tx: ReadTx, anyId: string): Promise<string> {
  const id = await findIdOf(tx, 'workflow_runs', anyId);
  if (id !== undefined) return id;
  if ((await selectReports(tx, { runId: anyId }, 1)).length === 0) throw unknownId('workflow_run_id', 'run', anyId);
  return anyId;
}

export const countUnreadReports = handleRead(contract.countUnreadReports, async ({ tx }) => ({
  count: (await countUnread(tx)).count,
}));

export const getReport = handleRead(contract.getReport, async ({ tx }, { params }) =>
  toReport(await getRow(tx, params.id)),
);

export const createReport = handleWrite(contract.createReport, 'report.create', async ({ tx, principal }, { body }) => {
  const row = await createReportRow(tx, principal, body, runIdOf(principal));
  return new Reply(toReport(row), { headers: { location: `/api/v1/reports/${row.id}` } });
});

export const markReportRead = handleWrite(contract.markReportRead, 'report.read', async ({ tx }, { params }) => {
  const row = await getRow(tx, params.id);
  tx.journal.summarise('Marked a report as read');
  return toReport(row.read_at === null ? await reports.change(tx, row, { read_at: tx.now }) : row);
});

export const markReportUnread = handleWrite(contract.markReportUnread, 'report.unread', async ({ tx }, { params }) => {
  const row = await getRow(tx, params.id);
  tx.journal.summarise('Marked a report as unread');
  return toReport(await reports.change(tx, row, { read_at: null }));
});

export const markAllReportsRead = handleWrite(contract.markAllReportsRead, 'report.read_all', async ({ tx }) => {
  await markAllRead(tx);
  return null;
});

async function markAllRead(tx: WriteTx): Promise<void> {
  const unread = await selectReports(tx, { isRead: false });
  const edits = unread.map((row) => ({ row, patch: { read_at: tx.now } }));
  await reports.changeMany(tx, edits);
  tx.journal.summarise(unread.length === 1 ? 'Marked 1 report as read' : `Marked ${unread.length} reports as read`);
}

export const deleteReport = handleWrite(contract.deleteReport, 'report.delete', async ({ tx }, { params }) => {
  await reports.remove(tx, await getRow(tx, params.id));
  tx.journal.summarise('Deleted a report');
  return null;
});

/** @throws NOT_FOUND */
async function getRow(tx: ReadTx, anyId: string): Promise<ReportsTable> {
  const row = await reports.find(tx, anyId);
  if (!row) throw notFound('report');
  return row;
}
