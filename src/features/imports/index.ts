export { csvResult } from './import-csv.ts';
export { failInterruptedImports } from './import-turn.ts';
export { handleImport } from './import-file.ts';
export { accountsWithBrokenBalances } from './imports.table.ts';
export { forgetAccountNumbers } from './targets.queries.ts';
export { undo } from './undo-import.ts';
