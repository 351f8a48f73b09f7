import type { Made } from '../harness/ledger.ts';
import type { Prepared } from './live-calls.ts';

/** Calls of these operations that need something which a fresh installation does not have. */
export const prepared: Prepared = {
  revertChangeSet: async (app) => {
    const [account] = (await app.request('GET', '/api/v1/accounts')).json as Made[];
    const body = { display_name: `Holiday money ${crypto.randomUUID()}` };
    const done = await app.request('PATCH', `/api/v1/accounts/${(account as Made).id}`, { body });
    return { params: { id: String(done.headers['x-change-set-id']) }, body: {} };
  },
};
