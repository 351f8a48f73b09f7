import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';
import { freshTransaction } from './transactions.ts';

async function commented(app: TestApp): Promise<{ id: string; comment_id: string }> {
  const { short_id: id } = await freshTransaction(app);
  const { json } = await app.request('POST', `/api/v1/transactions/${id}/comments`, { body: { body: 'Ask Ben' } });
  return { id, comment_id: json.id };
}

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  listComments: async (app) => ({ params: { id: (await commented(app)).id } }),
  createComment: async (app) => ({ params: { id: (await freshTransaction(app)).id } }),
  updateComment: async (app) => ({ params: await commented(app) }),
  deleteComment: async (app) => ({ params: await commented(app) }),
};
