import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

const onOwn = (name: string) => async (app: TestApp) => {
  const { json } = await app.request('POST', '/api/v1/tags', { body: { name } });
  return { params: { slug: json.slug } };
};

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  updateTag: onOwn('To restyle'),
  deleteTag: onOwn('To delete'),
};
