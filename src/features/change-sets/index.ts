import { getChangeSet } from './get-change-set.ts';
import { listChangeSets } from './list-change-sets.ts';
import { revertChangeSet } from './revert-change-set.ts';

export const handlers = [listChangeSets, getChangeSet, revertChangeSet];

export { takeBack } from './take-back.ts';
