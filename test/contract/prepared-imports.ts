import { base64, csvOf } from '../harness/bank-files.ts';
import type { Prepared } from './live-calls.ts';

/** Calls of these operations that need something which a fresh installation does not have. */
export const prepared: Prepared = {
  revertImport: async (app) => {
    const body = { csv_base64: base64(csvOf('2026-03-20 KIOSK -1.20')), account_name: 'To be reverted' };
    const done = await app.request('POST', '/api/v1/connections/csv/import', { body });
    return { params: { id: String(done.json.import.id) }, body: {} };
  },
};
