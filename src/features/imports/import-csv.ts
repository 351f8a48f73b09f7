import { handleBackground } from '../handler.ts';
import { csvResult } from './csv-result.ts';
import { importCsv as operation } from './imports.contract.ts';
import { handleImport } from './take-import.ts';

export const importCsv = handleBackground(operation, async (context, { body }) =>
  handleImport(context, body, 'csv', csvResult),
);
