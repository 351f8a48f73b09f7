import { applyAllRules } from './apply-all-rules.ts';
import { applyRule } from './apply-rule.ts';
import { createRule } from './create-rule.ts';
import { createRulesBatch } from './create-rules-batch.ts';
import { deleteRule } from './delete-rule.ts';
import { explainTransaction } from './explain-transaction.ts';
import { getRule } from './get-rule.ts';
import { listRuleConflicts } from './list-rule-conflicts.ts';
import { listRuleHistory } from './list-rule-history.ts';
import { listRules } from './list-rules.ts';
import { previewRule } from './preview-rule.ts';
import { replaceRule } from './replace-rule.ts';
import { runJob } from './run-job.ts';
import { suggestRules } from './suggest-rules.ts';
import { updateRule } from './update-rule.ts';

export const handlers = [
  listRules,
  createRule,
  createRulesBatch,
  previewRule,
  suggestRules,
  listRuleConflicts,
  listRuleHistory,
  explainTransaction,
  applyRule,
  applyAllRules,
  getRule,
  updateRule,
  replaceRule,
  deleteRule,
];

export const works = [runJob];

export { openAutomaticCategories, type AutomaticCategory } from './automatic-categories.ts';
export {
  openIngestion,
  WITHOUT_RULES,
  type IngestedRow,
  type Ingestion,
  type NewRow,
  type RuleComment,
} from './ingestion.ts';
export { countRulesNaming, forgetInRules, retargetRules } from './rule-references.ts';
export { seedRules } from './seed-rules.ts';
export { undo } from './undo-rules.ts';
