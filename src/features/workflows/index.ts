export { effectivePrompt } from './effective-prompt.ts';
export { createWorkflowRow, freeSlug } from './make-workflow.ts';
export { restartSchedule } from './schedule.ts';
export { showWorkflow } from './show-workflow.ts';
export { fieldsOf, type WorkflowFields } from './workflow-fields.ts';
export { workflows } from './workflows.entity.ts';
export { findWorkflow, selectWorkflows } from './workflows.queries.ts';
