import { z } from 'zod';

import { notFound } from '../../kernel/errors.ts';
import { defineBackgroundTool } from './tool.ts';

export const runWorkflow = defineBackgroundTool({
  name: 'run_workflow',
  title: 'Run a workflow',
  description:
    'Starts a run of a workflow now and returns at once; list_workflows shows its progress. prompt_prefix is put ' +
    'before its prompt, for this run only.',
  scope: 'full_access',
  effect: 'write',
  isOpenWorld: true,
  input: {
    workflow: z.string().meta({ description: 'Slug or id' }),
    prompt_prefix: z.string().max(2_000).optional(),
  },
  output: {
    run: z.looseObject({ id: z.string(), status: z.string(), trigger: z.string(), started_at: z.string().optional() }),
  },
  // Workflows cannot be made yet, so no name can be that of one.
  run: async () => {
    throw notFound('The workflow was');
  },
});
