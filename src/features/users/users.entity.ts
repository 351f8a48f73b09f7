import type { z } from 'zod';

import type { UsersTable } from '../../db/schema.ts';
import type { User } from './users.contract.ts';

export type UserRecord = z.output<typeof User>;

export function toUser(row: UsersTable): UserRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    name: row.name,
    kind: row.kind as UserRecord['kind'],
    email: row.email,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
