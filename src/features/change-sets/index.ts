export { selectStatuses, type ChangeSetStatus } from './change-sets.queries.ts';
export { revertSet } from './revert-set.ts';
export { toChangeSet } from './change-sets.table.ts';
