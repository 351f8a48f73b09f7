import { bulkRecategorize } from './bulk-recategorize.ts';
import { createRules } from './create-rules.ts';
import { deleteRule } from './delete-rule.ts';
import { deleteTag } from './delete-tag.ts';
import { getSyncStatus } from './get-sync-status.ts';
import { listAccountLinks } from './list-account-links.ts';
import { listChangeSets } from './list-change-sets.ts';
import { listImports } from './list-imports.ts';
import { listProposals } from './list-proposals.ts';
import { listReports } from './list-reports.ts';
import { listRules } from './list-rules.ts';
import { listTags } from './list-tags.ts';
import { listWorkflows } from './list-workflows.ts';
import { previewRule } from './preview-rule.ts';
import { saveCategory } from './save-category.ts';
import { saveTag } from './save-tag.ts';
import { suggestRules } from './suggest-rules.ts';
import { updateRule } from './update-rule.ts';
import { updateTransactions } from './update-transactions.ts';
import type { Tool } from './tool.ts';

export type { CallRecord } from './agent-call.ts';

/** Every tool, in the order in which agents see them: those that read, then those that write. */
export const tools: readonly Tool[] = [
  listTags,
  listRules,
  previewRule,
  suggestRules,
  listReports,
  getSyncStatus,
  listAccountLinks,
  listChangeSets,
  listImports,
  listWorkflows,
  listProposals,
  updateTransactions,
  bulkRecategorize,
  saveTag,
  deleteTag,
  saveCategory,
  createRules,
  updateRule,
  deleteRule,
];
