import { getImport } from './get-import.ts';
import { importCsv } from './import-csv.ts';
import { listImports } from './list-imports.ts';
import { previewCsv } from './preview-csv.ts';

export const handlers = [previewCsv, importCsv, listImports, getImport];

export { failInterruptedImports } from './import-turn.ts';
export { undo } from './undo-import.ts';
