import { handleBackground } from '../handler.ts';
import { importFile as operation } from './imports-door.contract.ts';
import { readImport } from './run-import.ts';
import { takeImport } from './take-import.ts';

export const importFile = handleBackground(operation, async (context, { body }) =>
  takeImport(context, body, 'any', readImport),
);
