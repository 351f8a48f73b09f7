import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound, validationError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleWrite, type Instance, type Principal } from '../handler.ts';
import { findWorkflow } from '../workflows/index.ts';
import { showRun } from './show-run.ts';
import { startRun } from './start-run.ts';
import { runWorkflow as operation } from './workflow-runs.contract.ts';
import type { RunRow } from './workflow-runs.queries.ts';

export const runWorkflow = handleWrite(
  operation,
  'run.start',
  async ({ tx, instance, principal }, { params, body }) => {
    const { prompt, prompt_prefix: prefix } = body;
    const texts = { prompt: prompt ?? null, prefix: prefix === undefined || prefix.trim() === '' ? null : prefix };
    if (prompt !== undefined && prompt.trim() === '') throw validationError('prompt', 'prompt: must not be blank');
    if (lengthOf(prompt) > LIMITS.workflowPromptChars) {
      throw new AppError('PROMPT_TOO_LONG', `prompt must have at most ${LIMITS.workflowPromptChars} characters.`);
    }
    if (prompt === undefined && lengthOf(prefix) > LIMITS.workflowPrefixChars) {
      const message = `prompt_prefix must have at most ${LIMITS.workflowPrefixChars} characters.`;
      throw new AppError('PROMPT_PREFIX_TOO_LONG', message);
    }
    const workflow = await findWorkflow(tx, params.slug);
    if (!workflow) throw notFound('workflow');
    return showRun(tx, await startByHand(tx, instance, { workflow, principal, ...texts }));
  },
);

interface ByHand {
  workflow: WorkflowsTable;
  principal: Principal | null;
  prompt: string | null;
  prefix: string | null;
}

/** @throws what a gate refuses */
async function startByHand(tx: WriteTx, instance: Instance, wanted: ByHand): Promise<RunRow> {
  const start = await startRun(tx, instance, { ...wanted, trigger: 'manual' });
  if (start.kind === 'refused') throw start.error;
  if (start.kind !== 'started') throw new Error('A start by hand was neither made nor refused.');
  return start.run;
}

function lengthOf(text = ''): number {
  return [...text].length;
}
