import { z } from 'zod';

import { listPresets, WorkflowPreset } from '../../workflow-presets/workflow-presets.contract.ts';
import { getWorkflow, listWorkflows as operation } from '../../workflows/workflows.contract.ts';
import { WorkflowRun } from '../../workflow-runs/run-record.contract.ts';
import { Workflow } from '../../workflows/workflow-record.contract.ts';
import { Code } from '../../../contract/common.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation, pick } from '../call-operation.ts';
import { selectNewestRuns } from '../parts/newest-runs.queries.ts';
import { defineReadTool } from '../tool.ts';

const SUMMARY = ['slug', 'name', 'enabled', 'tool_scope'] as const;
const PRESET = [
  'slug',
  'name',
  'description',
  'tool_scope',
  'est_cost_per_run_usd',
  'enabled',
  'workflow_slug',
] as const;

const RunListed = fieldsOf(WorkflowRun, [
  'id',
  'status',
  'trigger',
  'started_at',
  'total_cost_usd',
  'proposal_id',
  'hit_cap',
]);
/** What starts a workflow, and its newest runs. */
const STARTED = { fires: Code, runs: z.array(RunListed) };

export const listWorkflows = defineReadTool({
  name: 'list_workflows',
  title: 'List workflows',
  description:
    'Agents that work for the household on a schedule or after a sync, with their latest runs. With workflow (slug or' +
    ' id): that one in full. include_presets adds the built-in ones.',
  scope: 'read_only',
  weight: 'heavy',
  input: {
    workflow: z.string().optional(),
    runs: z.int().min(0).max(20).default(3),
    include_presets: z.boolean().default(false),
  },
  output: {
    workflows: z.array(z.union([Workflow.extend(STARTED), fieldsOf(Workflow, SUMMARY).extend(STARTED)])),
    presets: z.array(fieldsOf(WorkflowPreset, PRESET).extend({ fires: Code })).optional(),
  },
  operations: ['listWorkflows', 'getWorkflow', 'listPresets'],
  examples: [{ arguments: {}, says: 'Which workflows are there?' }],
  run: async (context, { workflow: named, runs: count, include_presets: withPresets }) => {
    const all =
      named === undefined
        ? await callOperation(context, operation, {})
        : [await callOperation(context, getWorkflow, { params: { slug: named } })];
    const runs = await selectNewestRuns(context.tx, count);
    const workflows = all.map((one) => ({
      ...(named === undefined ? pick(one, SUMMARY) : one),
      fires: startsBy(one),
      runs: runs.get(one.id) ?? [],
    }));
    if (!withPresets) return { workflows };
    const presets = await callOperation(context, listPresets, {});
    return { workflows, presets: presets.map((one) => ({ ...pick(one, PRESET), fires: startsBy(one) })) };
  },
});

function startsBy(one: { schedule_cron: string | null; trigger_on_sync_complete: boolean }): string {
  return one.schedule_cron ?? (one.trigger_on_sync_complete ? 'after_sync' : 'manual');
}
