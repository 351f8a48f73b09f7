import type { z } from 'zod';

import type { UsersTable } from '../../db/schema.ts';
import { derived, IDS, recorded, referenceByShortId, secret, STAMPS, unjournaled } from '../../journal/columns.ts';
import { defineEntity } from '../../journal/entity.ts';
import { fold } from '../../kernel/fold.ts';
import type { User } from './users.contract.ts';

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
    setup_token_expires_at: secret,
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
