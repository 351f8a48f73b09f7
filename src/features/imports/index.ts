import { getImport } from './get-import.ts';
import { importCsv } from './import-csv.ts';
import { importFile } from './import-file.ts';
import { listImportRows } from './list-import-rows.ts';
import { listImports } from './list-imports.ts';
import { previewCsv } from './preview-csv.ts';
import { revertImport } from './revert-import.ts';

export const handlers = [previewCsv, importCsv, importFile, listImports, getImport, listImportRows, revertImport];

export { csvResult } from './csv-result.ts';
export { failInterruptedImports } from './import-turn.ts';
export { takeImport } from './take-import.ts';
export { undo } from './undo-import.ts';
