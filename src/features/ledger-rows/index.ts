export { rowAdder, textIdsOf } from './add-rows.ts';
export { selectStoredRows, type StoredRow } from './stored-rows.queries.ts';
