export { rowAdder, textIdsOf, type RowAdder, type RowToAdd } from './add-rows.ts';
