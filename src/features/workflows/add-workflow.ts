import type { z } from 'zod';

import type { WorkflowsTable } from '../../db/schema-workflows.ts';
import type { WriteTx } from '../../journal/write.ts';
import { requireFreeSlug, requireSound } from './change-workflow.ts';
import { requireBlocks, requireTools } from './check-names.ts';
import { createWorkflowRow } from './make-workflow.ts';
import { freeSlug, slugOfName } from './make-workflow.ts';
import type { NewWorkflow } from './workflows.contract.ts';

type Sent = z.output<typeof NewWorkflow>;

/** @throws VALIDATION_ERROR, CONFLICT */
export async function addWorkflow(
  tx: WriteTx,
  { prompt, prompt_blocks: blocks = [], ...sent }: Sent,
): Promise<WorkflowsTable> {
  if (prompt === undefined) requireBlocks(blocks);
  requireTools(sent.allowed_tools);
  if (sent.slug !== undefined) await requireFreeSlug(tx, sent.slug);
  const slug = sent.slug ?? (await freeSlug(tx, slugOfName(sent.name)));
  const fields = {
    ...sent,
    slug,
    prompt: prompt ?? null,
    prompt_blocks: blocks,
    preset_options: {},
    source_template: null,
  };
  await requireSound(tx, fields);
  return createWorkflowRow(tx, fields);
}
