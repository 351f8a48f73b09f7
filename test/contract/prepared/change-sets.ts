import type { Made } from '../../harness/ledger.ts';
import type { Prepared } from '../live-calls.ts';

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  revertChangeSet: async (app) => {
    const [account] = (await app.request('GET', '/api/v1/accounts')).json as Made[];
    const body = { display_name: `Holiday money ${crypto.randomUUID()}` };
    const done = await app.request('PATCH', `/api/v1/accounts/${(account as Made).id}`, { body });
    return { params: { id: String(done.headers['x-change-set-id']) }, body: {} };
  },
};
