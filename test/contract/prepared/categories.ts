import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

async function ownCategory(app: TestApp, name: string): Promise<string> {
  const { json } = await app.request('POST', '/api/v1/categories', { body: { name } });
  return json.slug;
}

const onOwn = (name: string) => async (app: TestApp) => ({ params: { id: await ownCategory(app, name) } });

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  updateCategory: onOwn('To rename'),
  putCategory: onOwn('To rename as well'),
  deleteCategory: onOwn('To delete'),
  mergeCategory: async (app) => ({ body: { from_category_id: await ownCategory(app, 'Tea rooms') } }),
};
