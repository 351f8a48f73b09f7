import type { TestApp } from '../../harness/test-app.ts';
import type { Prepared } from '../live-calls.ts';

const onOwn = (slug: string) => async (app: TestApp) => {
  await app.request('PUT', `/api/v1/import-profiles/${slug}`, { body: { headers: ['Day', 'Sum', slug] } });
  return { params: { id: slug } };
};

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getImportProfile: onOwn('to-read'),
  saveImportProfile: onOwn('to-replace'),
  deleteImportProfile: onOwn('to-forget'),
};
