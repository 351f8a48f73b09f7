export { isFirstRun } from './bootstrap.queries.ts';
