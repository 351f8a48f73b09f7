import { z } from 'zod';

import { isServerRunning } from '../../encryption/index.ts';
import type { Instance } from '../../handler.ts';
import { runWorkflow as operation } from '../../workflow-runs/workflow-runs.contract.ts';
import { WorkflowRun } from '../../workflow-runs/run-record.contract.ts';
import { Sentence } from '../../../contract/common.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

const RUN = ['id', 'status', 'trigger', 'started_at'] as const;

export const runWorkflow = defineWriteTool({
  name: 'run_workflow',
  title: 'Run a workflow',
  description:
    'Starts a run of a workflow now and returns at once; list_workflows shows its progress. prompt_prefix is put ' +
    'before its prompt, for this run only.',
  isOpenWorld: true,
  input: {
    workflow: z.string().meta({ description: 'Slug or id' }),
    prompt_prefix: z.string().max(2_000).optional(),
  },
  output: { run: fieldsOf(WorkflowRun, RUN), message: Sentence },
  errors: [
    'RUN_IN_PROGRESS',
    'MODEL_NOT_CONFIGURED',
    'AUTH_NOT_CONFIGURED',
    'BUDGET_CEILING_REACHED',
    'AGENTS_DISABLED',
    'CONCURRENCY_LOCKED',
  ],
  operations: ['runWorkflow'],
  examples: [
    {
      arguments: { workflow: 'weekly-digest', prompt_prefix: 'Say more about restaurants this time.' },
      says: 'Send the weekly digest now, with more about restaurants.',
    },
  ],
  run: async (context, { workflow, prompt_prefix }) => {
    const run = await callOperation(context, operation, {
      params: { slug: workflow },
      body: prompt_prefix === undefined ? {} : { prompt_prefix },
    });
    return {
      run: pick(run, RUN),
      message: await whenItRuns(context.instance),
    };
  },
});

/** A process that serves one agent only stores the run; the server carries it out (70.5). */
async function whenItRuns(instance: Instance): Promise<string> {
  if (instance.runs().isOpen()) return 'The run works in the background. list_workflows shows its progress.';
  return (await isServerRunning(instance.database))
    ? 'The server begins the run within 5 seconds. list_workflows shows its progress.'
    : 'The run is queued, and begins when the Homeledger server starts. It is not running now.';
}
