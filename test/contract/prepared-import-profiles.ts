import type { TestApp } from '../harness/test-app.ts';
import type { Prepared } from './live-calls.ts';

const onOwn = (slug: string) => async (app: TestApp) => {
  await app.request('PUT', `/api/v1/import-profiles/${slug}`, { body: { headers: ['Day', 'Sum', slug] } });
  return { params: { id: slug } };
};

/** Calls of these operations that need something which a fresh installation does not have. */
export const prepared: Prepared = {
  getImportProfile: onOwn('to-read'),
  saveImportProfile: onOwn('to-replace'),
  deleteImportProfile: onOwn('to-forget'),
};
