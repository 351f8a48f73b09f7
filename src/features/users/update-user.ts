import { difference } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import { fold } from '../../kernel/fold.ts';
import { handleWrite } from '../handler.ts';
import { readEmail } from './read-email.ts';
import { updateUser as operation } from './users.contract.ts';
import { findUser, updateUserRow } from './users.queries.ts';
import { toUser } from './users.table.ts';

export const updateUser = handleWrite(operation, 'user.update', async ({ tx }, { params, body }) => {
  const row = await findUser(tx, params.id);
  if (!row) throw notFound('The household member was');
  const wanted = {
    name: body.name ?? row.name,
    kind: body.kind ?? row.kind,
    email: body.email === undefined ? row.email : await readEmail(tx, body.email, row.id),
  };
  const changed = difference({ ...row }, wanted);
  if (!changed) return toUser(row);
  const set = { ...wanted, name_folded: fold(wanted.name), updated_at: tx.now };
  await updateUserRow(tx, row.id, set);
  tx.journal.record({
    entityType: 'user',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'update',
    ...changed,
    revertible: false,
  });
  tx.journal.summarise(`Changed the household member ${wanted.name}`);
  return toUser({ ...row, ...set });
});
