export { isFirstRun, schemaState } from './bootstrap.queries.ts';
