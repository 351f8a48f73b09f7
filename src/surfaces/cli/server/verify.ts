import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Command } from 'commander';

import { checkBackup, isVerified, verifyLedger, type CheckedBackup } from '../../../features/backups/index.ts';
import { keysAtHand } from '../../../features/encryption/index.ts';
import { CheckFailed, shownText, UsageError } from '../exit.ts';
import { readOpener, stopping, type OpenerFlags } from './backup.ts';
import { withLocalApp } from './local-app.ts';

type Flags = OpenerFlags & { json?: boolean };

export function addVerifyCommand(program: Command): void {
  program
    .command('verify [file]')
    .description('hold the ledger, or a backup of it, against its own rules; nothing is changed')
    .option('--identity-file <file>', 'the recovery key that opens the backup, or its emergency sheet')
    .option('--passphrase-file <file>', 'the passphrase that opens the backup')
    .option('--json', 'print the checks as JSON')
    .action((file: string | undefined, flags: Flags) => verify(file, flags));
}

async function verify(file: string | undefined, flags: Flags): Promise<void> {
  const opener = readOpener(flags);
  if (file === undefined && opener !== null) throw new UsageError('Name the backup that the key opens.');
  if (file !== undefined && !existsSync(file)) throw new UsageError(`${file} does not exist.`);
  await withLocalApp(async ({ instance }) => {
    const { config, database, masterKey } = instance;
    const keys = [masterKey, ...keysAtHand(config.dataDir)];
    const found =
      file === undefined
        ? await database.read(async (tx) => verifyLedger(tx, { keys }))
        : (await stopping(checkBackup(instance, resolve(file), opener))).checks;
    tell(found, flags.json === true);
  });
}

function tell(checks: CheckedBackup['checks'], isJson: boolean): void {
  const ok = isVerified(checks);
  const lines = checks.map(({ name, status, message }) => shownText(`${status}  ${name}: ${message}`));
  process.stdout.write(isJson ? `${JSON.stringify({ ok, checks }, null, 2)}\n` : `${lines.join('\n')}\n`);
  if (!ok) throw new CheckFailed();
}
