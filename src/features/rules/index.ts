import { applyAllRules } from './apply-all-rules.ts';
import { applyRule } from './apply-rule.ts';

export const handlers = [applyRule, applyAllRules];

export { openAutomaticCategories, type AutomaticCategory } from './automatic-categories.ts';
export { openIngestion, type IngestedRow, type Ingestion, type NewRow } from './ingestion.ts';
export { countRulesNaming, retargetRules } from './rule-references.ts';
export { undo } from './undo-rules.ts';
