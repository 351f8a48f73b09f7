import { applyAllRules } from './apply-all-rules.ts';
import { applyRule } from './apply-rule.ts';
import { createRule } from './create-rule.ts';
import { createRulesBatch } from './create-rules-batch.ts';
import { deleteRule } from './delete-rule.ts';
import { getRule } from './get-rule.ts';
import { listRules } from './list-rules.ts';
import { replaceRule } from './replace-rule.ts';
import { updateRule } from './update-rule.ts';

export const handlers = [
  listRules,
  createRule,
  createRulesBatch,
  applyRule,
  applyAllRules,
  getRule,
  updateRule,
  replaceRule,
  deleteRule,
];

export { openAutomaticCategories, type AutomaticCategory } from './automatic-categories.ts';
export { openIngestion, type IngestedRow, type Ingestion, type NewRow } from './ingestion.ts';
export { countRulesNaming, retargetRules } from './rule-references.ts';
export { undo } from './undo-rules.ts';
