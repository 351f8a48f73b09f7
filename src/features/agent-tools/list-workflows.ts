import { z } from 'zod';

import { notFound } from '../../kernel/errors.ts';
import { defineReadTool } from './tool.ts';

export const listWorkflows = defineReadTool({
  name: 'list_workflows',
  title: 'List workflows',
  description:
    'Agents that work for the household on a schedule or after a sync, with their latest runs. With workflow (slug or' +
    ' id): that one in full. include_presets adds the built-in ones.',
  scope: 'read_only',
  input: {
    workflow: z.string().optional(),
    runs: z.int().min(0).max(20).default(3),
    include_presets: z.boolean().default(false),
  },
  output: { workflows: z.array(z.looseObject({})), presets: z.array(z.looseObject({})).optional() },
  untrusted: ['workflows[].name', 'workflows[].prompt'],
  examples: [{ arguments: {}, says: 'Which workflows are there?' }],
  // Workflows cannot be made yet, so there are none.
  run: async (_context, { workflow, include_presets: withPresets }) => {
    if (workflow !== undefined) throw notFound('The workflow was');
    return { workflows: [], ...(withPresets ? { presets: [] } : {}) };
  },
});
