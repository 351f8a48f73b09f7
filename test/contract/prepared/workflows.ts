import type { TestApp } from '../../harness/test-app.ts';
import { addWorkflow } from '../../harness/workflows/workflow-rows.ts';
import type { Prepared } from '../live-calls.ts';

const onOwn =
  (name: string, fields: object = {}) =>
  async (app: TestApp) => ({
    params: { slug: (await addWorkflow(app, { name, ...fields })).slug },
  });

/** Calls of operations that need data which a new installation lacks: each creates the data and returns its parameters. */
export const prepared: Prepared = {
  getWorkflow: onOwn('To read'),
  updateWorkflow: onOwn('To change'),
  deleteWorkflow: onOwn('To delete'),
  enableWorkflow: onOwn('To enable'),
  disableWorkflow: onOwn('To pause', { enabled: true }),
  // The body of the example is for this preset, which is not the first of the gallery.
  enablePreset: async () => ({ params: { slug: 'routine-reviewer' } }),
};
