export { reports } from './reports.entity.ts';
export { countUnread, type UnreadReports } from './reports.queries.ts';
export { createReportRow, findRecentReport } from './submit-report.ts';
