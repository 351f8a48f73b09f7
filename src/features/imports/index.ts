export { csvResult } from './import-csv.ts';
export { failInterruptedImports } from './import-turn.ts';
export { forgetAccountNumbers } from './account-numbers.queries.ts';
export { handleImport } from './import-file.ts';
export { accountsWithBrokenBalances } from './imports.table.ts';
export { undo } from './undo-import.ts';
