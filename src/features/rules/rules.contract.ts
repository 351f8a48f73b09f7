import { operations as runOperations } from './rule-runs.contract.ts';

export const operations = [...runOperations];
