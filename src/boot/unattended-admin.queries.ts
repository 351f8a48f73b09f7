import type { LoginsTable } from '../db/schema-identity.ts';
import type { WriteTx } from '../journal/write.ts';

interface NewAdmin {
  name: string;
  nameFolded: string;
  email: string;
  passwordHash: string;
  userShortId: string;
  loginShortId: string;
}

/** Makes the member with this e-mail the admin, and creates one if there is none; an existing login becomes an admin's. */
export async function insertAdmin(tx: WriteTx, admin: NewAdmin): Promise<void> {
  const login = await tx.q.selectFrom('logins').selectAll().where('identifier', '=', admin.email).executeTakeFirst();
  if (login) await raiseLogin(tx, login, admin.passwordHash);
  else await insertLogin(tx, await memberWith(tx, admin), admin);
}

async function raiseLogin(tx: WriteTx, login: LoginsTable, passwordHash: string): Promise<void> {
  const set = { role: 'admin', password_hash: passwordHash, updated_at: tx.now };
  await tx.q.updateTable('logins').set(set).where('id', '=', login.id).execute();
  tx.journal.record({
    entityType: 'login',
    entityId: login.id,
    entityShortId: login.short_id,
    operation: 'update',
    before: { role: login.role, has_password: login.password_hash !== null },
    after: { role: 'admin', has_password: true },
    revertible: false,
  });
}

interface Member {
  id: string;
  short_id: string;
}

async function memberWith(tx: WriteTx, { name, nameFolded, email, userShortId }: NewAdmin): Promise<Member> {
  const known = await tx.q.selectFrom('users').select(['id', 'short_id']).where('email', '=', email).executeTakeFirst();
  if (known) return known;
  const stamps = { created_at: tx.now, updated_at: tx.now };
  const user = { id: tx.ids.uuid(), short_id: userShortId };
  await tx.q
    .insertInto('users')
    .values({ ...user, name, name_folded: nameFolded, kind: 'admin', email, ...stamps })
    .execute();
  tx.journal.record({
    entityType: 'user',
    entityId: user.id,
    entityShortId: user.short_id,
    operation: 'create',
    before: null,
    after: { ...user, name, kind: 'admin', email, ...stamps },
    revertible: false,
  });
  return user;
}

async function insertLogin(tx: WriteTx, user: Member, admin: NewAdmin): Promise<void> {
  const stamps = { created_at: tx.now, updated_at: tx.now };
  const row = {
    id: tx.ids.uuid(),
    short_id: admin.loginShortId,
    kind: 'password',
    identifier: admin.email,
    role: 'admin',
  };
  await tx.q
    .insertInto('logins')
    .values({
      ...row,
      user_id: user.id,
      password_hash: admin.passwordHash,
      setup_token_hash: null,
      setup_token_expires_at: null,
      last_used_at: null,
      ...stamps,
    })
    .execute();
  tx.journal.record({
    entityType: 'login',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: { ...row, user_id: user.short_id, has_password: true, ...stamps },
    revertible: false,
  });
}
