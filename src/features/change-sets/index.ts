export { revertSet } from './revert-set.ts';
