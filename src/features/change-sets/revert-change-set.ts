import { findChangeSet } from '../../journal/journal.queries.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { revertChangeSet as operation } from './change-sets.contract.ts';
import { takeBack } from './take-back.ts';

export const revertChangeSet = handleWrite(
  operation,
  'change_set.revert',
  async ({ tx, instance }, { params, body }) => {
    const set = await findChangeSet(tx, params.id);
    if (!set) throw notFound('The change set was');
    return (await takeBack(tx, await instance.undos(), set, body)).answer;
  },
);
