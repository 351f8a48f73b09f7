export { effectivePrompt } from './effective-prompt.ts';
export { createWorkflowRow, freeSlug } from './make-workflow.ts';
export { showWorkflow } from './show-workflow.ts';
export { workflows } from './workflows.entity.ts';
export { findWorkflow, selectWorkflows } from './workflows.queries.ts';
