import { findChangeSet } from '../../journal/journal.queries.ts';
import { cutPage, fingerprintOf, positionAfter } from '../../kernel/cursor.ts';
import { notFound } from '../../kernel/errors.ts';
import { closedToAgents, isAgent } from '../check-rights.ts';
import { handleRead, handleWrite } from '../handler.ts';
import * as contract from './change-sets.contract.ts';
import { changesWorkflows, selectChangeSets } from './change-sets.queries.ts';
import { toChangeSet } from './change-sets.table.ts';
import { resolveFilter } from './resolve-filter.ts';
import { revertSet } from './revert-set.ts';

export const listChangeSets = handleRead(contract.listChangeSets, async ({ tx }, { query }) => {
  const { limit, cursor } = query;
  const filter = await resolveFilter(tx, query);
  const fingerprint = fingerprintOf({ ...filter });
  const position = await positionAfter(cursor, fingerprint, (id) => findChangeSet(tx, id));
  const rows = await selectChangeSets(tx, filter, position, limit + 1);
  const { shown, end } = cutPage(rows, limit, fingerprint, (last) => ({ key: last.created_at, id: last.id }));
  return {
    change_sets: shown.map(toChangeSet),
    ...end,
  };
});

export const revertChangeSet = handleWrite(
  contract.revertChangeSet,
  'change_set.revert',
  async ({ tx, instance, principal }, { params, body }) => {
    const set = await findChangeSet(tx, params.id);
    if (!set) throw notFound('change set');
    if (isAgent(principal) && (await changesWorkflows(tx, set.id))) throw closedToAgents();
    return (await revertSet(tx, await instance.undos(), set, body)).answer;
  },
);
