import type { Database } from '../db/unit-of-work.ts';
import { isFirstRun } from '../features/bootstrap/index.ts';
import { SETUP_ACTOR } from '../features/handler.ts';
import { write, type WriteTx } from '../journal/write.ts';
import type { Config } from '../kernel/config.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Passwords } from '../kernel/passwords.ts';
import { BootError } from './data-directory.ts';

/** First-run setup from the environment (contract 20.7). Later starts never change an existing password. */
export async function createUnattendedAdmin(
  config: Config,
  database: Database,
  passwords: Passwords,
  logger: Logger,
): Promise<void> {
  const { admin } = config;
  if (!admin) return;
  if (!(await database.read(isFirstRun))) {
    logger.info('HOMELEDGER_ADMIN_EMAIL is ignored: an admin exists.');
    return;
  }
  const { findPasswordFault } = await import('../features/auth/index.ts');
  const fault = await findPasswordFault(admin.password, admin.email);
  if (fault !== undefined) throw new BootError(`The admin password ${fault}.`);
  const passwordHash = await passwords.hash(admin.password);
  const origin = {
    actor: SETUP_ACTOR,
    surface: 'setup',
    source: 'system',
    action: 'setup.complete',
    reason: null,
    requestId: null,
  } as const;
  await write(database, origin, async (tx) => {
    if (!(await isFirstRun(tx))) return;
    await makeAdmin(tx, admin.email, passwordHash);
    tx.journal.summarise('Set up the first admin');
  });
}

/** An existing login with this e-mail address becomes an admin; otherwise the member gets one, and is created if need be. */
async function makeAdmin(tx: WriteTx, email: string, passwordHash: string): Promise<void> {
  const { findLoginByIdentifier, findUserByEmail, logins, users } = await import('../features/users/index.ts');
  const login = await findLoginByIdentifier(tx, email);
  if (login) {
    await logins.change(tx, login, { role: 'admin', password_hash: passwordHash });
    return;
  }
  const name = email.split('@')[0] as string;
  const user = (await findUserByEmail(tx, email)) ?? (await users.create(tx, { name, kind: 'admin', email }));
  await logins.create(tx, {
    user_id: user.id,
    kind: 'password',
    identifier: email,
    role: 'admin',
    password_hash: passwordHash,
  });
}
