import type { ConnectionsTable, UsersTable } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import { AppError, invalidParameter, validationError, unknownId } from '../../../kernel/errors.ts';
import type { Principal } from '../../handler.ts';
import { unknownUser, users } from '../../users/index.ts';
import type { ImportFields } from '../import-fields.contract.ts';
import { findAccountRow, findConnection, selectMembers, type AccountRow } from './targets.queries.ts';

/** Where the rows go as far as the request says, before the file is read. */
export interface GivenTarget {
  membership: Membership;
  connection: ConnectionsTable | null;
  account: AccountRow | null;
  /** Accounts chosen for account values of the file. */
  chosen: ReadonlyMap<string, AccountRow>;
  /** A conflict that a preview reports and that refuses an import. */
  conflict: AppError | null;
}

/**
 * Looks up the ids in a request, and which member they show the file to belong to (36.4).
 * @throws INVALID_PARAMETER, VALIDATION_ERROR
 */
export async function findGivenTarget(
  tx: ReadTx,
  fields: ImportFields,
  principal: Principal | null,
): Promise<GivenTarget> {
  const connection = fields.connection_id === undefined ? null : await connectionOf(tx, fields.connection_id);
  const account =
    fields.account_id === undefined ? null : await accountOf(tx, 'account_id', fields.account_id, connection);
  const chosen = new Map<string, AccountRow>();
  for (const [value, choice] of Object.entries(fields.accounts)) {
    if (typeof choice !== 'string') continue;
    chosen.set(value, await accountOf(tx, 'accounts', choice, connection));
  }
  return {
    membership: await membershipOf(tx, fields, account?.owner_id ?? connection?.user_id ?? null, principal),
    connection,
    account,
    chosen,
    conflict: connection?.status === 'disconnected' ? disconnected() : null,
  };
}

function disconnected(): AppError {
  return new AppError(
    'CONNECTION_DISCONNECTED',
    'This connection was disconnected and no longer accepts files. Choose one of its accounts, or leave the connection out.',
    {
      details: [
        { path: 'connection_id', message: 'Send account_id for one of its accounts, or leave connection_id out.' },
      ],
    },
  );
}

async function connectionOf(tx: ReadTx, anyId: string): Promise<ConnectionsTable> {
  const connection = await findConnection(tx, anyId);
  if (!connection) throw unknownId('connection_id', 'connection', anyId);
  if (connection.provider !== 'csv') {
    throw validationError(
      'connection_id',
      'This connection gets its transactions from the bank. To import a file into one of its accounts, send account_id.',
    );
  }
  return connection;
}

async function accountOf(
  tx: ReadTx,
  path: string,
  anyId: string,
  connection: ConnectionsTable | null,
): Promise<AccountRow> {
  const account = await findAccountRow(tx, anyId);
  if (!account) throw unknownId(path, 'account', anyId);
  if (connection && account.home_connection_id !== connection.id) {
    throw validationError(path, 'The account does not belong to the connection in connection_id.');
  }
  return account;
}

/** What is known about the member before the file is read. @throws INVALID_PARAMETER */
async function membershipOf(
  tx: ReadTx,
  fields: ImportFields,
  ownerId: string | null,
  principal: Principal | null,
): Promise<Membership> {
  const all = await selectMembers(tx);
  const given = fields.user_id === undefined ? undefined : await users.find(tx, fields.user_id);
  if (fields.user_id !== undefined && !given) throw unknownUser('user_id', fields.user_id);
  if (given && ownerId !== null && given.id !== ownerId) {
    throw invalidParameter(
      'user_id',
      'user_id: this household member does not own the account or connection in the request.',
    );
  }
  const callerId = principal?.actor.userId ?? null;
  const byId = (id: string | null) => all.find((one) => one.id === id) ?? null;
  const caller = all.find((one) => one.short_id === callerId) ?? null;
  const membership = {
    stated: given ?? byId(ownerId),
    implied: caller ?? (all.length === 1 ? (all[0] ?? null) : null),
    all,
  };
  // Without members, no file can belong to anyone, so this fails before the file is read.
  if (all.length === 0) memberOf(membership, null);
  return membership;
}

/** Which member the file may belong to, before its account is known. */
export interface Membership {
  /** Stated by the request: as user_id, or as the owner of its account or connection. */
  readonly stated: UsersTable | null;
  /** The owner of the key or session, or the only member. The owner of the account found takes precedence. */
  readonly implied: UsersTable | null;
  readonly all: readonly UsersTable[];
}

/** The member the file belongs to (36.4), given the owner of the account found. @throws INVALID_PARAMETER */
export function memberOf({ stated, implied, all }: Membership, ownerId: string | null): UsersTable {
  const member = stated ?? all.find(({ id }) => id === ownerId) ?? implied;
  if (member) return member;
  if (all.length === 0) {
    const message = 'user_id: the household has no members yet. Add one first.';
    throw new AppError('INVALID_PARAMETER', message, { details: [{ path: 'user_id', message }] });
  }
  const details = all.map(({ short_id, name }) => ({ path: 'user_id', message: `${short_id}: ${name}` }));
  throw new AppError(
    'INVALID_PARAMETER',
    'Nothing shows whose file this is. Choose the household member it belongs to.',
    { details },
  );
}
