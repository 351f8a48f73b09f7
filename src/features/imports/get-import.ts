import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getImport as operation } from './imports.contract.ts';
import { findImport } from './imports.queries.ts';
import { toImport } from './imports.table.ts';
import { withLiveProgress } from './live-progress.ts';

export const getImport = handleRead(operation, async ({ tx, instance }, { params }) => {
  const row = await findImport(tx, params.id);
  if (!row) throw notFound('The import was');
  return withLiveProgress(instance, await toImport(tx, row));
});
