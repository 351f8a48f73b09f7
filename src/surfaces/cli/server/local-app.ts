import { createApp, type App, type Overrides } from '../../../app.ts';
import { systemOrigin, write, type WriteTx } from '../../../journal/write.ts';
import { processEnvironment, readConfig } from '../../../kernel/config.ts';

interface HowToRun extends Pick<Overrides, 'exclusive' | 'loadKey'> {
  mayMakeDatabase?: boolean;
  /** For a command that makes the first admin itself. */
  withoutUnattendedAdmin?: boolean;
}

const WAITING = 'Another program is writing to the database. Waiting until it has finished, for up to two minutes.\n';

/**
 * Runs a server command on the local database, with or without a running server. Only a command that asks for it creates
 * a missing database; an exclusive one needs the database to itself.
 */
export async function withLocalApp<T>(
  fn: (app: App) => Promise<T>,
  { mayMakeDatabase = false, withoutUnattendedAdmin = false, ...how }: HowToRun = {},
): Promise<T> {
  const config = readConfig({ ...processEnvironment(), LOG_LEVEL: 'warn' });
  const app = await createApp(withoutUnattendedAdmin ? { ...config, admin: null } : config, {
    workers: 0,
    mayMakeDatabase,
    onBusy: () => process.stderr.write(WAITING),
    ...how,
  });
  if (app.madeDatabase !== null) process.stderr.write(`Created ${app.madeDatabase}.\n`);
  try {
    return await fn(app);
  } finally {
    await app.close();
  }
}

/** A write recorded with actor `system`/`cli`. */
export async function writeAsCli<T>(app: App, action: string, fn: (tx: WriteTx) => Promise<T>): Promise<T> {
  const origin = systemOrigin('cli', action, { surface: 'cli', source: 'edit' });
  return (await write(app.instance.database, origin, fn)).value;
}
