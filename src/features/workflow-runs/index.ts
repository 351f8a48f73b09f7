export { readBudget } from './budget.ts';
export { cleanUpNightly } from './delete-old-runs.ts';
export { startRun, type Start } from './start-run.ts';
