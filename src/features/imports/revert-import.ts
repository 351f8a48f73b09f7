import { findChangeSet } from '../../journal/journal.queries.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { takeBack } from '../change-sets/index.ts';
import { handleWrite } from '../handler.ts';
import { findImport, type ImportRowStored } from './imports.queries.ts';
import { toImport } from './imports.table.ts';
import { revertImport as operation } from './imports.contract.ts';

/** Takes back the change set of an import, and tells what that meant for its rows (contract 36.11). */
export const revertImport = handleWrite(operation, 'change_set.revert', async ({ tx, instance }, { params, body }) => {
  const found = await findImport(tx, params.id);
  if (!found) throw notFound('The import was');
  const set = await findChangeSet(tx, changeSetOf(found));
  if (!set) throw new Error('The change set of an import is gone.');
  const { answer, takenOutCount, putBackCount } = await takeBack(tx, await instance.undos(), set, body);
  const after = (await findImport(tx, found.id)) ?? found;
  return {
    ...answer,
    deleted_count: takenOutCount,
    restored_count: putBackCount,
    import: await toImport(tx, after),
  };
});

function changeSetOf({ status, change_set_id: changeSetId }: ImportRowStored): string {
  if (status === 'queued' || status === 'running') {
    throw new AppError('CONFLICT', 'The import still goes on. Wait for its end, then take it back.');
  }
  if (status === 'failed') {
    throw new AppError('CONFLICT', 'The import failed and wrote nothing, so there is nothing to take back.');
  }
  if (changeSetId === null)
    throw new AppError('NOT_REVERTIBLE', 'The import changed nothing, so there is nothing to take back.');
  return changeSetId;
}
