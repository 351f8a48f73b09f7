import type { TestApp } from '../../harness/test-app.ts';
import type { LiveCall, Prepared } from '../live-calls.ts';
import { freshTransaction } from './transactions.ts';

const BODY = {
  name: 'Groceries',
  condition: { field: 'name', op: 'contains', value: 'grocer' },
  actions: [{ type: 'set_category', category_slug: 'food_and_drink_groceries' }],
};

async function madeRule(app: TestApp): Promise<LiveCall> {
  const { json } = await app.request('POST', '/api/v1/rules', { body: BODY });
  return { params: { id: String(json.short_id) } };
}

async function madeJob(app: TestApp): Promise<LiveCall> {
  const { params } = await madeRule(app);
  await app.request('POST', `/api/v1/rules/${params?.['id']}/apply`, { body: {} });
  const { json } = await app.request('GET', '/api/v1/jobs');
  return { params: { id: String(json[0].short_id) } };
}

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getRule: madeRule,
  updateRule: madeRule,
  replaceRule: madeRule,
  deleteRule: madeRule,
  applyRule: madeRule,
  listRuleConflicts: madeRule,
  listRuleHistory: madeRule,
  explainTransaction: async (app) => ({ params: { id: (await freshTransaction(app)).short_id } }),
  getJob: madeJob,
  cancelJob: madeJob,
};
