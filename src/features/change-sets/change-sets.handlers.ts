import type { ReadTx } from '../../db/unit-of-work.ts';
import { findChangeSet } from '../../journal/journal.queries.ts';
import { cutPage, decodeCursor, fingerprintOf, invalidCursor, type Position } from '../../kernel/cursor.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleRead, handleWrite } from '../handler.ts';
import * as contract from './change-sets.contract.ts';
import { selectChangeSets } from './change-sets.queries.ts';
import { toChangeSet } from './change-sets.table.ts';
import { resolveFilter } from './resolve-filter.ts';
import { revertSet } from './revert-set.ts';

export const listChangeSets = handleRead(contract.listChangeSets, async ({ tx }, { query }) => {
  const { limit, cursor, ...filters } = query;
  const fingerprint = fingerprintOf(filters);
  const filter = await resolveFilter(tx, query);
  const position = cursor === undefined ? null : await positionOf(tx, cursor, fingerprint);
  const rows = await selectChangeSets(tx, filter, position, limit + 1);
  const { shown, end } = cutPage(rows, limit, fingerprint, (last) => ({ key: last.created_at, id: last.id }));
  return {
    change_sets: shown.map(toChangeSet),
    ...end,
  };
});

async function positionOf(tx: ReadTx, cursor: string, fingerprint: string): Promise<Position> {
  const position = decodeCursor(cursor, fingerprint);
  if (!(await findChangeSet(tx, position.id))) {
    throw invalidCursor('The cursor points to a change set that does not exist. Start again from the first page.');
  }
  return position;
}

export const revertChangeSet = handleWrite(
  contract.revertChangeSet,
  'change_set.revert',
  async ({ tx, instance }, { params, body }) => {
    const set = await findChangeSet(tx, params.id);
    if (!set) throw notFound('The change set was');
    return (await revertSet(tx, await instance.undos(), set, body)).answer;
  },
);
