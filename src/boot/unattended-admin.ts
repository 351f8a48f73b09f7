import type { Database } from '../db/unit-of-work.ts';
import { isFirstRun } from '../features/bootstrap/index.ts';
import { systemOrigin, write } from '../journal/write.ts';
import type { Config } from '../kernel/config.ts';
import { AppError } from '../kernel/errors.ts';
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
    logger.info(
      'HOMELEDGER_ADMIN_EMAIL is ignored because an admin already exists. To set a new password, run `homeledger users reset-password`.',
    );
    return;
  }
  const [{ findPasswordFault }, { makeAdmin }] = await Promise.all([
    import('../features/auth/index.ts'),
    import('../features/setup/index.ts'),
  ]);
  const fault = await findPasswordFault(admin.password, admin.email);
  if (fault !== undefined) throw new BootError(`${admin.variable} ${fault}.`);
  const passwordHash = await passwords.hash(admin.password);
  const origin = systemOrigin('setup', 'setup.complete', { surface: 'setup' });
  await write(database, origin, async (tx) => {
    if (!(await isFirstRun(tx))) return;
    const [name = ''] = admin.email.split('@');
    await makeAdmin(tx, { who: { name }, email: admin.email, passwordHash });
    tx.journal.summarise('Set up the first admin');
  }).catch(explainRefusal);
}

/** @throws BootError for a member who signs in with another address */
function explainRefusal(error: unknown): never {
  throw error instanceof AppError && error.status === 409
    ? new BootError(`HOMELEDGER_ADMIN_EMAIL: ${error.message}`)
    : error;
}
