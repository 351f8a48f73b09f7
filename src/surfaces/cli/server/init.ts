import type { Command } from 'commander';

import { makeKey } from '../../../features/api-keys/index.ts';
import { isFirstRun } from '../../../features/bootstrap/index.ts';
import type { RecoveryKey } from '../../../features/recovery-keys/index.ts';
import { makeAdmin } from '../../../features/setup/index.ts';
import { processEnvironment, readConfig } from '../../../kernel/config.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { scopeNamed } from '../../../kernel/scopes.ts';
import { shownText, UsageError } from '../exit.ts';
import { withLocalApp, writeAsCli } from './local-app.ts';
import { addAdminFlags, completeAdmin, faultOfName, readGivenAdmin, type AdminFlags } from './new-admin.ts';
import { addMadeKey, refuseExisting, withNewSheet } from './recovery-sheet.ts';

interface InitFlags extends AdminFlags {
  keyName?: string;
  scope: string;
  recoveryKeyFile?: string;
}

export function addInitCommand(program: Command): void {
  addAdminFlags(
    program
      .command('init')
      .alias('setup')
      .description('set up the household without a browser: database, encryption key and first admin')
      .option('--non-interactive', 'ask nothing'),
  )
    .option('--key-name <name>', 'also create an API key with this name, and print it')
    .option('--scope <scope>', 'scope of that key: read_only, propose or full_access', 'full_access')
    .option(
      '--recovery-key-file <file>',
      'also make a recovery key for backups, and write its emergency sheet to this new file',
    )
    .action((flags: InitFlags) => init(flags));
}

/** The transaction of contract 20.7, without its token: whoever runs commands here has the database anyway. */
async function init(flags: InitFlags): Promise<void> {
  const scope = scopeNamed(flags.scope);
  if (scope === undefined) throw new UsageError('--scope: must be read_only, propose or full_access');
  const badKeyName = flags.keyName === undefined ? undefined : faultOfName(flags.keyName);
  if (badKeyName !== undefined) throw new UsageError(`--key-name: ${badKeyName}`);
  if (flags.recoveryKeyFile !== undefined) refuseExisting(flags.recoveryKeyFile);
  const { admin } = readConfig(processEnvironment());
  const given = await readGivenAdmin(flags, admin);
  await withLocalApp(
    async (app) => {
      const { instance } = app;
      if (!(await instance.database.read(isFirstRun))) throw alreadySetUp();
      const wanted = await completeAdmin(app, given);
      const setUp = (recovery: RecoveryKey | null) =>
        writeAsCli(app, 'setup.complete', async (tx) => {
          if (!(await isFirstRun(tx))) throw alreadySetUp();
          const { user, login } = await makeAdmin(tx, wanted);
          const memberId = user.id;
          const name = flags.keyName?.trim();
          const key = name === undefined ? null : await makeKey(instance, tx, { name, scope, memberId });
          if (recovery) await addMadeKey(tx, recovery);
          tx.journal.summarise(`Set up the household, with ${user.name} as its first admin`);
          return { user, login, key };
        });
      const { recoveryKeyFile: sheet } = flags;
      const made = sheet === undefined ? await setUp(null) : await withNewSheet(app, sheet, setUp);
      process.stderr.write(`${shownText(made.user.name)} can sign in as ${made.login.identifier}.\n`);
      if (instance.keyFile !== null) process.stderr.write(`Keep a copy of ${instance.keyFile} in a safe place.\n`);
      if (sheet !== undefined)
        process.stderr.write(`Print ${sheet}: it opens the backups that are made from now on.\n`);
      if (made.key) process.stdout.write(`${made.key.key}\n`);
    },
    { mayMakeDatabase: true, withoutUnattendedAdmin: true },
  );
}

function alreadySetUp(): OperatorError {
  return new OperatorError(
    'The household is already set up. To add an admin: homeledger users create-admin. ' +
      'To set a new password: homeledger users reset-password EMAIL.',
  );
}
