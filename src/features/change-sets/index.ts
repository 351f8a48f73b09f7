export { revertSet } from './revert-set.ts';
export { toChangeSet } from './change-sets.table.ts';
