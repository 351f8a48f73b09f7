export { csvResult } from './import-csv.ts';
export { failInterruptedImports } from './doors/import-turn.ts';
export { handleImport } from './import-file.ts';
export { accountsWithBrokenBalances } from './records/imports.table.ts';
export { forgetAccountNumbers } from './target/targets.queries.ts';
export { undo } from './write/undo-import.ts';
