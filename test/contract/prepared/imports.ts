import { base64, csvOf } from '../../harness/bank-files/bank-files.ts';
import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  revertImport: async (app) => {
    // By now the household may have several members.
    const [member] = (await app.request('GET', '/api/v1/users')).json;
    const target = { account_name: 'To be reverted', user_id: member.short_id };
    const body = { csv_base64: base64(csvOf('2026-03-20 KIOSK -1.20')), ...target };
    const done = await app.request('POST', '/api/v1/connections/csv/import', { body });
    return { params: { id: String(done.json.import.id) }, body: {} };
  },
};
