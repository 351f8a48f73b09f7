import type { z } from 'zod';

import type { LoginsTable, UsersTable } from '../../db/schema.ts';
import { derived, IDS, recorded, referenceByShortId, secret, STAMPS, unjournaled } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { fold } from '../../kernel/fold.ts';
import type { LoginMethod, User } from './users.contract.ts';

/** Changes of household members and logins cannot be reverted. */
export const users = defineEntity('users', {
  type: 'user',
  columns: { ...IDS, name: recorded, name_folded: derived, kind: recorded, email: recorded, ...STAMPS },
  derive: ({ name }) => ({ name_folded: fold(name) }),
});

/** A new password is recorded as a change from true to true. */
export const logins = defineEntity('logins', {
  type: 'login',
  columns: {
    ...IDS,
    user_id: referenceByShortId('users'),
    kind: recorded,
    identifier: recorded,
    role: recorded,
    password_hash: { role: 'recorded', field: 'has_password', toField: (hash) => hash !== null },
    setup_token_hash: secret,
    setup_token_expires_at: recorded,
    setup_token_issuer: unjournaled,
    last_used_at: unjournaled,
    ...STAMPS,
  },
});

type UserRecord = z.output<typeof User>;

export function toUser(row: UsersTable): UserRecord {
  const { name_folded: _derived, kind, ...fields } = row;
  return { ...fields, kind: kind as UserRecord['kind'] };
}

type LoginRecord = z.output<typeof LoginMethod>;

/** A token that has expired is no longer pending. */
export function toLogin(row: LoginsTable, memberShortId: string, now: string): LoginRecord {
  const { id, short_id, identifier, last_used_at, created_at, setup_token_expires_at: expiresAt } = row;
  return {
    id,
    short_id,
    user_id: memberShortId,
    kind: 'password',
    identifier,
    last_used_at,
    created_at,
    role: row.role as LoginRecord['role'],
    has_password: row.password_hash !== null,
    setup_token_expires_at: expiresAt !== null && expiresAt > now ? expiresAt : null,
  };
}
