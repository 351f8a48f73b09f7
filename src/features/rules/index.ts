export { openAutomaticCategories, type AutomaticCategory } from './runs/automatic-categories.ts';
export {
  openIngestion,
  WITHOUT_RULES,
  type IngestedRow,
  type Ingestion,
  type FlaggedRows,
  type IngestionOutcome,
  type RuleComment,
} from './runs/ingestion.ts';
export { forgetRunsOfGoneSyncs, oldRuleRuns, RUNS_OF_GONE_SYNCS } from './runs/rule-outcomes.queries.ts';
export { countRulesNaming, forgetInRules, retargetRules } from './rule-references.ts';
export { runOnEntry } from './runs/run-on-entry.ts';
export { rules } from './rules.entity.ts';
export { seedRules } from './save-rule.ts';
