import { applyRules } from './apply-rules.ts';
import { bulkRecategorize } from './bulk-recategorize.ts';
import { createAccountLink } from './create-account-link.ts';
import { createRules } from './create-rules.ts';
import { deleteAccountLink } from './delete-account-link.ts';
import { deleteRule } from './delete-rule.ts';
import { deleteTag } from './delete-tag.ts';
import { explainTransaction } from './explain-transaction.ts';
import { getGuide } from './get-guide.ts';
import { getOverview } from './get-overview.ts';
import { getSyncStatus } from './get-sync-status.ts';
import { getTransaction } from './get-transaction.ts';
import { listAccountLinks } from './list-account-links.ts';
import { listAccounts } from './list-accounts.ts';
import { listCategories } from './list-categories.ts';
import { listChangeSets } from './list-change-sets.ts';
import { listCounterparties } from './list-counterparties.ts';
import { listImports } from './list-imports.ts';
import { listProposals } from './list-proposals.ts';
import { listReports } from './list-reports.ts';
import { listRules } from './list-rules.ts';
import { listSeries } from './list-series.ts';
import { listTags } from './list-tags.ts';
import { listWorkflows } from './list-workflows.ts';
import { merchantSummary } from './merchant-summary.ts';
import { previewRule } from './preview-rule.ts';
import { queryTransactions } from './query-transactions.ts';
import { reconcileAccountLink } from './reconcile-account-link.ts';
import { revertChangeSet } from './revert-change-set.ts';
import { revertImport } from './revert-import.ts';
import { reviewMatch } from './review-match.ts';
import { runWorkflow } from './run-workflow.ts';
import { saveCategory } from './save-category.ts';
import { saveCounterparty } from './save-counterparty.ts';
import { saveSeries } from './save-series.ts';
import { saveTag } from './save-tag.ts';
import { submitReport } from './submit-report.ts';
import { suggestRules } from './suggest-rules.ts';
import { transactionSummary } from './transaction-summary.ts';
import { triggerSync } from './trigger-sync.ts';
import { updateRule } from './update-rule.ts';
import { updateTransactions } from './update-transactions.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which agents see them: those that read, then those that write. */
export const tools: readonly Tool[] = [
  getOverview,
  queryTransactions,
  getTransaction,
  explainTransaction,
  transactionSummary,
  merchantSummary,
  listAccounts,
  listCategories,
  listTags,
  listRules,
  previewRule,
  suggestRules,
  listSeries,
  listCounterparties,
  listReports,
  getSyncStatus,
  listAccountLinks,
  listChangeSets,
  listImports,
  listWorkflows,
  listProposals,
  getGuide,
  updateTransactions,
  bulkRecategorize,
  saveTag,
  deleteTag,
  saveCategory,
  createRules,
  updateRule,
  deleteRule,
  applyRules,
  saveSeries,
  saveCounterparty,
  reviewMatch,
  submitReport,
  revertChangeSet,
  revertImport,
  runWorkflow,
  triggerSync,
  createAccountLink,
  deleteAccountLink,
  reconcileAccountLink,
];
