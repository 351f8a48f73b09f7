import type { Command } from 'commander';

import { makeAdmin, setPassword } from '../../../features/setup/index.ts';
import { findLoginByIdentifier, selectIdentifiers } from '../../../features/users/index.ts';
import { parseEmail } from '../../../kernel/credentials.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { shownText, UsageError } from '../exit.ts';
import { canAsk, givenPassword, type PasswordFlags } from './ask.ts';
import { withLocalApp, writeAsCli } from './local-app.ts';
import {
  addAdminFlags,
  addPasswordFlags,
  choosePassword,
  completeAdmin,
  readGivenAdmin,
  type AdminFlags,
} from './new-admin.ts';

/** Commands for people who have lost access, or do not want to use a browser. */
export function addUsersCommands(program: Command): void {
  const users = program
    .command('users')
    .description('let household members sign in; needs neither a running server nor an API key');
  addAdminFlags(
    users
      .command('create-admin')
      .description('make a household member an admin, with a login; the member is created if there is none'),
  ).action((flags: AdminFlags) => createAdmin(flags));
  addPasswordFlags(
    users.command('reset-password <email>').description('set the password of a login and end its sessions'),
  ).action((email: string, flags: PasswordFlags) => resetPassword(email, flags));
}

async function createAdmin(flags: AdminFlags): Promise<void> {
  const given = await readGivenAdmin(flags, null);
  await withLocalApp(
    async (app) => {
      const wanted = await completeAdmin(app, given);
      const existing = await app.instance.database.read((tx) => findLoginByIdentifier(tx, wanted.email));
      const made = await writeAsCli(app, existing ? 'login.update' : 'login.create', async (tx) => {
        const admin = await makeAdmin(tx, wanted);
        tx.journal.summarise(`Made ${admin.user.name} an admin`);
        return admin;
      });
      process.stderr.write(`${shownText(made.user.name)} can sign in as ${made.login.identifier}, as an admin.\n`);
    },
    { mayMakeDatabase: true },
  );
}

async function resetPassword(email: string, flags: PasswordFlags): Promise<void> {
  const given = await givenPassword(flags);
  if (given === undefined && !canAsk()) {
    throw new UsageError('Without a terminal to prompt on, this command needs --password-stdin or --password-file.');
  }
  await withLocalApp(async (app) => {
    const { database, passwords } = app.instance;
    const { identifier } = await database.read((tx) => getLogin(tx, email));
    const passwordHash = await passwords.hash(await choosePassword(given, identifier));
    await writeAsCli(app, 'login.set_password', async (tx) => {
      await setPassword(tx, await getLogin(tx, email), passwordHash);
      tx.journal.summarise(`Set the password of ${identifier}`);
    });
    process.stderr.write(
      `The password of ${identifier} has been changed, and all its sessions have ended. Sign in with the new password.\n`,
    );
  });
}

type ReadTx = Parameters<typeof findLoginByIdentifier>[0];

/** @throws OperatorError naming the logins there are */
async function getLogin(tx: ReadTx, email: string) {
  const login = await findLoginByIdentifier(tx, parseEmail(email) ?? email);
  if (login) return login;
  const known = await selectIdentifiers(tx);
  const advice =
    known.length === 0
      ? 'No one can sign in yet. Run homeledger init.'
      : `These email addresses can sign in: ${known.join(', ')}.`;
  throw new OperatorError(`No one signs in as ${email}. ${advice}`);
}
