import { shortIdFor } from '../../db/short-ids.ts';
import { fold } from '../../kernel/fold.ts';
import { handleWrite } from '../handler.ts';
import { readEmail } from './read-email.ts';
import { createUser as operation } from './users.contract.ts';
import { insertUser } from './users.queries.ts';
import { toUser } from './users.table.ts';

export const createUser = handleWrite(operation, 'user.create', async ({ tx }, { body }) => {
  const row = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'users'),
    name: body.name,
    name_folded: fold(body.name),
    kind: body.kind,
    email: await readEmail(tx, body.email, null),
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertUser(tx, row);
  const record = toUser(row);
  tx.journal.record({
    entityType: 'user',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: record,
    revertible: false,
  });
  tx.journal.summarise(`Added the household member ${row.name}`);
  return record;
});
