import { addMember, addAccount } from '../harness/ledger.ts';
import type { Prepared } from './live-calls.ts';

/** Calls of these operations that need something which a fresh installation does not have. */
export const prepared: Prepared = {
  revertChangeSet: async (app) => {
    const account = await addAccount(app, await addMember(app, 'Bea'));
    const body = { display_name: 'Holiday money' };
    const done = await app.request('PATCH', `/api/v1/accounts/${account.id}`, { body });
    return { params: { id: String(done.headers['x-change-set-id']) }, body: {} };
  },
};
