import { addTransactions } from './tools/add-transactions.ts';
import { applyRules } from './tools/apply-rules.ts';
import { auditBills } from './tools/audit-bills.ts';
import { bulkRecategorize } from './tools/bulk-recategorize.ts';
import { createAccountLink } from './tools/create-account-link.ts';
import { createRules } from './tools/create-rules.ts';
import { deleteAccountLink } from './tools/delete-account-link.ts';
import { deleteRule } from './tools/delete-rule.ts';
import { deleteTag } from './tools/delete-tag.ts';
import { explainTransaction } from './tools/explain-transaction.ts';
import { getGuide } from './tools/get-guide.ts';
import { getOverview } from './tools/get-overview.ts';
import { getSyncStatus } from './tools/get-sync-status.ts';
import { getTransaction } from './tools/get-transaction.ts';
import { listAccountLinks } from './tools/list-account-links.ts';
import { listAccounts } from './tools/list-accounts.ts';
import { listCategories } from './tools/list-categories.ts';
import { listChangeSets } from './tools/list-change-sets.ts';
import { listCounterparties } from './tools/list-counterparties.ts';
import { listImports } from './tools/list-imports.ts';
import { listProposals } from './tools/list-proposals.ts';
import { listReports } from './tools/list-reports.ts';
import { listRules } from './tools/list-rules.ts';
import { listSeries } from './tools/list-series.ts';
import { listTags } from './tools/list-tags.ts';
import { listWorkflows } from './tools/list-workflows.ts';
import { merchantSummary } from './tools/merchant-summary.ts';
import { previewRule } from './tools/preview-rule.ts';
import { mergeRecords } from './tools/merge-records.ts';
import { queryTransactions } from './tools/query-transactions.ts';
import { reconcileAccountLink } from './tools/reconcile-account-link.ts';
import { revertChangeSet } from './tools/revert-change-set.ts';
import { revertImport } from './tools/revert-import.ts';
import { reviewMatch } from './tools/review-match.ts';
import { runWorkflow } from './tools/run-workflow.ts';
import { saveCategory } from './tools/save-category.ts';
import { saveCounterparty } from './tools/save-counterparty.ts';
import { saveSeries } from './tools/save-series.ts';
import { saveTag } from './tools/save-tag.ts';
import { submitReport } from './tools/submit-report.ts';
import { suggestRules } from './tools/suggest-rules.ts';
import { transactionSummary } from './tools/transaction-summary.ts';
import { triggerSync } from './tools/trigger-sync.ts';
import { updateRule } from './tools/update-rule.ts';
import { updateTransactions } from './tools/update-transactions.ts';
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
  auditBills,
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
  addTransactions,
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
  mergeRecords,
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
