import { getBootstrap } from './get-bootstrap.ts';

export const handlers = [getBootstrap];

export { isFirstRun } from './bootstrap.queries.ts';
