import { shortIdFor } from '../db/short-ids.ts';
import type { Database } from '../db/unit-of-work.ts';
import { isFirstRun } from '../features/bootstrap/index.ts';
import { SETUP_ACTOR } from '../features/handler.ts';
import { write } from '../journal/write.ts';
import type { Config } from '../kernel/config.ts';
import { fold } from '../kernel/fold.ts';
import type { Logger } from '../kernel/logger.ts';
import { hashPassword } from '../kernel/credentials.ts';
import type { Random } from '../kernel/random.ts';
import { insertAdmin } from './unattended-admin.queries.ts';

/** First-run setup from the environment (contract 20.7). Later starts never change an existing password. */
export async function createUnattendedAdmin(
  config: Config,
  database: Database,
  random: Random,
  logger: Logger,
): Promise<void> {
  const { admin } = config;
  if (!admin) return;
  if (!(await database.read(isFirstRun))) {
    logger.info('HOMELEDGER_ADMIN_EMAIL is ignored: an admin exists.');
    return;
  }
  const passwordHash = await hashPassword(admin.password, random);
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
    const name = admin.email.split('@')[0] as string;
    await insertAdmin(tx, {
      name,
      nameFolded: fold(name),
      email: admin.email,
      passwordHash,
      userShortId: await shortIdFor(tx, 'users'),
      loginShortId: await shortIdFor(tx, 'logins'),
    });
    tx.journal.summarise('Set up the first admin');
  });
}
