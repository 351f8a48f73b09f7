import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { invalidParameter, notFound, validationError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleRead, handleWrite, Reply, type WriteContext } from '../handler.ts';
import { composePrompt, findPreset, readOptions } from '../workflow-presets/index.ts';
import { nextOccurrences, parseCron } from '../workflow-triggers/index.ts';
import { addWorkflow } from './add-workflow.ts';
import { changeWorkflow, switchWorkflow } from './change-workflow.ts';
import { requireBlocks } from './check-names.ts';
import { householdZone } from '../config/index.ts';
import { showWorkflow, showWorkflows } from './show-workflow.ts';
import type { z } from 'zod';
import * as contract from './workflows.contract.ts';
import { workflows } from './workflows.entity.ts';
import { findWorkflow, selectWorkflows } from './workflows.queries.ts';

type PromptParts = z.output<typeof contract.PromptParts>;

export const listWorkflows = handleRead(contract.listWorkflows, async ({ tx, instance }) =>
  showWorkflows(tx, await selectWorkflows(tx), instantNow(instance.clock)),
);

export const getWorkflow = handleRead(contract.getWorkflow, async ({ tx, instance }, { params }) =>
  showWorkflow(tx, await getRow(tx, params.slug), instantNow(instance.clock)),
);

export const createWorkflow = handleWrite(contract.createWorkflow, 'workflow.create', create);
export const createAgent = handleWrite(contract.createAgent, 'workflow.create', create);

async function create({ tx }: WriteContext, { body }: { body: z.output<typeof contract.NewWorkflow> }) {
  const row = await addWorkflow(tx, body);
  tx.journal.summarise(`Created the workflow ${row.name}`);
  return new Reply(await showWorkflow(tx, row, tx.now), { headers: { location: `/api/v1/workflows/${row.id}` } });
}

export const updateWorkflow = handleWrite(
  contract.updateWorkflow,
  'workflow.update',
  async ({ tx }, { params, body }) => {
    const changed = await changeWorkflow(tx, await getRow(tx, params.slug), body);
    tx.journal.summarise(`Changed the workflow ${changed.name}`);
    return showWorkflow(tx, changed, tx.now);
  },
);

export const deleteWorkflow = handleWrite(
  contract.deleteWorkflow,
  'workflow.delete',
  async ({ tx, instance }, { params }) => {
    const row = await getRow(tx, params.slug);
    await workflows.remove(tx, row);
    tx.journal.summarise(`Deleted the workflow ${row.name}`);
    tx.afterCommit(() => instance.wakeRuns());
    return null;
  },
);

export const enableWorkflow = handleWrite(contract.enableWorkflow, 'workflow.enable', async ({ tx }, { params }) => {
  const row = await switchWorkflow(tx, await getRow(tx, params.slug), true);
  tx.journal.summarise(`Enabled the workflow ${row.name}`);
  return showWorkflow(tx, row, tx.now);
});

export const disableWorkflow = handleWrite(contract.disableWorkflow, 'workflow.disable', async ({ tx }, { params }) => {
  const row = await switchWorkflow(tx, await getRow(tx, params.slug), false);
  tx.journal.summarise(`Paused the workflow ${row.name}`);
  return showWorkflow(tx, row, tx.now);
});

export const composeWorkflowPrompt = handleRead(contract.composeWorkflowPrompt, async (_context, { body }) => {
  const prompt = composed(body);
  const characters = [...prompt].length;
  if (characters > LIMITS.workflowPromptChars) {
    throw validationError(
      'extra_instructions',
      `The composed prompt has ${characters} characters; it must have at most ${LIMITS.workflowPromptChars}.`,
    );
  }
  return { prompt, characters, token_estimate: Math.ceil(characters / LIMITS.charsPerToken) };
});

function composed({ preset: slug, options = {}, prompt_blocks: sent = [], extra_instructions = null }: PromptParts) {
  const preset = slug === undefined ? null : findPreset(slug);
  if (preset === undefined) throw notFound('preset');
  if (preset === null) requireBlocks(sent);
  return composePrompt({
    blocks: preset?.prompt_blocks ?? sent,
    preset,
    options: preset === null ? {} : readOptions(preset, options, 'options'),
    extraInstructions: extra_instructions,
  });
}

export const previewCron = handleRead(contract.previewCron, async ({ tx, instance }, { query }) => {
  const { expression, count } = query;
  const timezone = await householdZone(tx);
  const parsed = parseCron(expression);
  if ('problem' in parsed) throw invalidParameter('expression', `expression: ${parsed.problem}`);
  const next = nextOccurrences(expression, timezone, instantNow(instance.clock), count);
  if (next.length === 0) {
    const years = LIMITS.workflowCronYears;
    throw invalidParameter('expression', `expression: does not occur in the next ${years} years.`);
  }
  return { expression, timezone, next };
});

/** @throws NOT_FOUND */
async function getRow(tx: ReadTx, named: string): Promise<WorkflowsTable> {
  const row = await findWorkflow(tx, named);
  if (!row) throw notFound('workflow');
  return row;
}
