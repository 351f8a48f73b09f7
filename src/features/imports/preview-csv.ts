import { handleBackground } from '../handler.ts';
import { previewCsv as operation } from './imports.contract.ts';
import { makePreview } from './make-preview.ts';
import { readFile } from './read-file.ts';

export const previewCsv = handleBackground(operation, async ({ instance, principal, file }, { body }) => {
  const read = await readFile(instance, principal, body, file, 'csv');
  return instance.database.read((tx) => makePreview(tx, instance, principal, read));
});
