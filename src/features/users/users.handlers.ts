import type { UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleRead, handleWrite } from '../handler.ts';
import { readEmail } from './addresses.ts';
import * as contract from './users.contract.ts';
import { toUser, users } from './users.entity.ts';
import { selectUsers } from './users.queries.ts';

export const listUsers = handleRead(contract.listUsers, async ({ tx }) => (await selectUsers(tx)).map(toUser));

export const getUser = handleRead(contract.getUser, async ({ tx }, { params }) => toUser(await getRow(tx, params.id)));

export const createUser = handleWrite(contract.createUser, 'user.create', async ({ tx }, { body }) => {
  const row = await users.create(tx, { ...body, email: await readEmail(tx, body.email) });
  tx.journal.summarise(`Created the household member ${row.name}`);
  return toUser(row);
});

export const updateUser = handleWrite(contract.updateUser, 'user.update', async ({ tx }, { params, body }) => {
  const row = await getRow(tx, params.id);
  const email = body.email === undefined ? undefined : await readEmail(tx, body.email, row.id);
  const changed = await users.change(tx, row, { ...body, email });
  tx.journal.summarise(`Changed the household member ${changed.name}`);
  return toUser(changed);
});

/** @throws NOT_FOUND */
async function getRow(tx: ReadTx, anyId: string): Promise<UsersTable> {
  const row = await users.find(tx, anyId);
  if (!row) throw notFound('household member');
  return row;
}
