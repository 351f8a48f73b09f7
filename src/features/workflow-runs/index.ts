export { readBudget, type Budget } from './budget.ts';
export { cleanUpNightly } from './delete-old-runs.ts';
export { resolveRun } from './resolve-runs.ts';
export { startRun, type SkipReason, type Start, type WantedRun } from './start-run.ts';
export { selectRuns, type RunRow } from './workflow-runs.queries.ts';
