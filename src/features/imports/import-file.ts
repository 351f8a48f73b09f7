import { handleBackground } from '../handler.ts';
import { importFile as operation } from './imports.contract.ts';
import { readImport } from './run-import.ts';
import { handleImport } from './take-import.ts';

export const importFile = handleBackground(operation, async (context, { body }) =>
  handleImport(context, body, 'any', readImport),
);
