import type { Command } from 'commander';

import {
  addRecipient,
  makeIdentity,
  readRecipient,
  removeRecipient,
  selectRecoveryKeys,
} from '../../../features/recovery-keys/index.ts';
import { shownText, UsageError } from '../exit.ts';
import { confirm } from './ask.ts';
import { withLocalApp, writeAsCli } from './local-app.ts';
import { addMadeKey, CLI, refuseExisting, sheetOf, withNewSheet } from './recovery-sheet.ts';

interface Flags {
  out?: string;
  add?: string;
  remove?: string;
  list?: boolean;
  yes?: boolean;
}

export function addRecoveryKeyCommand(backup: Command): void {
  backup
    .command('recovery-key')
    .description('make a recovery key for backups and print its emergency sheet; it is never shown again')
    .option('--out <file>', 'write the sheet to this new file instead')
    .option('--add <recipient>', 'add an age recipient of your own')
    .option('--remove <recipient>', 'take a recipient away; backups made before stay as they are')
    .option('--list', 'list the recipients')
    .option('--yes', 'do not ask for confirmation')
    .action((flags: Flags) => run(flags));
}

async function run({ out, add, remove, list, yes }: Flags): Promise<void> {
  if ([out, add, remove, list].filter((flag) => flag !== undefined).length > 1) {
    throw new UsageError('Use only one of --out, --add, --remove and --list.');
  }
  if (list === true) return listAll();
  if (add !== undefined) return addOwn(add);
  if (remove !== undefined) return takeAway(remove, yes === true);
  return make(out);
}

async function make(out: string | undefined): Promise<void> {
  if (out !== undefined) refuseExisting(out);
  await withLocalApp(async (app) => {
    if (out !== undefined) {
      await withNewSheet(app, out, (key) => writeAsCli(app, 'setting.update', (tx) => addMadeKey(tx, key)));
      process.stderr.write(`Wrote the emergency sheet to ${out}. Print it and keep it apart from the backups.\n`);
      return;
    }
    const key = await makeIdentity();
    const sheet = await sheetOf(app, key);
    await writeAsCli(app, 'setting.update', (tx) => addMadeKey(tx, key));
    process.stdout.write(sheet);
    process.stderr.write('Print this or save it elsewhere now: it is never shown again.\n');
  });
}

async function addOwn(typed: string): Promise<void> {
  await withLocalApp(async (app) => {
    const recipient = await readRecipient(typed);
    await writeAsCli(app, 'setting.update', (tx) => addRecipient(tx, { recipient, isOwn: true, by: CLI }));
    process.stdout.write(`${recipient}\n`);
  });
}

async function takeAway(recipient: string, isConfirmed: boolean): Promise<void> {
  const question = 'Take this recipient away? Its key will not open backups made from now on. [y/N] ';
  if (!isConfirmed && !(await confirm(question))) {
    throw new UsageError('Nothing was changed. To confirm, answer y or add --yes.');
  }
  await withLocalApp(async (app) => {
    await writeAsCli(app, 'setting.update', (tx) => removeRecipient(tx, recipient.trim()));
    process.stdout.write(`${shownText(recipient.trim())}\n`);
  });
}

async function listAll(): Promise<void> {
  await withLocalApp(async ({ instance }) => {
    const rows = await instance.database.read(selectRecoveryKeys);
    const lines = rows.map((row) => {
      const kind = row.is_own === 1 ? 'your own' : 'made here';
      return `${row.recipient}  ${kind}  ${row.added_at}  ${shownText(row.added_by_name)}\n`;
    });
    process.stdout.write(lines.join(''));
    if (rows.length === 0) process.stderr.write('No recovery keys. Backups are not encrypted.\n');
  });
}
