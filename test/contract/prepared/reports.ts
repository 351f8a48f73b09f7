import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

const onOwn = async (app: TestApp) => {
  const { json } = await app.request('POST', '/api/v1/reports', { body: { title: 'Rents', body: 'All paid.' } });
  return { params: { id: json.short_id as string } };
};

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getReport: onOwn,
  markReportRead: onOwn,
  markReportUnread: async (app) => {
    const call = await onOwn(app);
    await app.request('PATCH', `/api/v1/reports/${call.params.id}/read`);
    return call;
  },
  markAllReportsRead: async (app) => {
    await onOwn(app);
    return {};
  },
  deleteReport: onOwn,
};
