export { csvResult } from './csv-result.ts';
export { failInterruptedImports } from './import-turn.ts';
export { handleImport } from './take-import.ts';
export { undo } from './undo-import.ts';
