export { rowAdder, textIdsOf, type RowAdder, type RowToAdd } from './add-rows.ts';
export { selectStoredRows, type StoredRow } from './stored-rows.queries.ts';
