import { readFileSync } from 'node:fs';

import type { Command } from 'commander';

import { listBackups, makeBackup, type Lock, type Opener } from '../../../features/backups/index.ts';
import { readRecipient, recipientsOf } from '../../../features/recovery-keys/index.ts';
import { AppError, OperatorError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { shownText, UsageError } from '../exit.ts';
import { withLocalApp } from './local-app.ts';

interface CreateFlags {
  out?: string;
  recipient?: string[];
  passphraseFile?: string;
  plain?: boolean;
  json?: boolean;
}

export interface OpenerFlags {
  identityFile?: string;
  passphraseFile?: string;
}

export function addBackupCommands(backup: Command): void {
  backup
    .command('create')
    .description('make a backup of the household as it is now, also beside a running server, and prove it')
    .option('--out <file>', 'write it to this new file')
    .option(
      '--recipient <age1…>',
      'encrypt it to this recipient instead of those of the household; may be repeated',
      collect,
    )
    .option('--passphrase-file <file>', 'encrypt it with the passphrase in this file instead')
    .option('--plain', 'do not encrypt it')
    .option('--json', 'print the record as JSON')
    .action((flags: CreateFlags) => create(flags));
  backup
    .command('list')
    .description('list the backups, newest first')
    .option('--json', 'print the records as JSON')
    .action((flags: { json?: boolean }) => list(flags.json === true));
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, ...value.split(',')];
}

async function create(flags: CreateFlags): Promise<void> {
  const { out, recipient, passphraseFile, plain, json } = flags;
  if ([recipient, passphraseFile, plain].filter((flag) => flag !== undefined).length > 1) {
    throw new UsageError('Use only one of --recipient, --passphrase-file and --plain.');
  }
  const given = await givenLock(flags);
  await withLocalApp(async ({ instance }) => {
    const own = await instance.database.read(recipientsOf);
    const lock = given === undefined ? (own.length > 0 ? { recipients: own } : null) : given;
    let shown = 0;
    const onProgress = (percent: number): void => {
      if (percent < shown + 10) return;
      shown = percent;
      process.stderr.write(`Making the backup: ${percent} %\n`);
    };
    const { record, path, rows } = await stopping(makeBackup(instance, { kind: 'manual', lock, out, onProgress }));
    if (lock === null)
      process.stderr.write('The backup is not encrypted: whoever has the file can read the ledger in it.\n');
    if (json === true) {
      process.stdout.write(`${JSON.stringify({ ...record, path, rows }, null, 2)}\n`);
      return;
    }
    const counts = Object.entries(rows).filter(([, count]) => count > 0);
    const lines = [path, `${record.size_bytes} bytes`, `SHA-256 ${record.sha256}`];
    process.stdout.write(`${[...lines, ...counts.map(([table, count]) => `${count} ${table}`)].join('\n')}\n`);
  });
}

/** undefined: none was named, so that of the household is taken. */
async function givenLock({ recipient, passphraseFile, plain }: CreateFlags): Promise<Lock | undefined> {
  if (plain === true) return null;
  if (recipient) return { recipients: await Promise.all(recipient.map((one) => readRecipient(one))) };
  if (passphraseFile === undefined) return undefined;
  const passphrase = textOf(passphraseFile).replace(/\r?\n$/, '');
  if (passphrase.length < LIMITS.backupPassphraseChars) {
    throw new UsageError(`The passphrase must have at least ${LIMITS.backupPassphraseChars} characters.`);
  }
  return { passphrase };
}

/** What opens a file, from the flags of `verify` and `restore`. An emergency sheet will do. */
export function readOpener({ identityFile, passphraseFile }: OpenerFlags): Opener {
  if (identityFile !== undefined && passphraseFile !== undefined) {
    throw new UsageError('Use only one of --identity-file and --passphrase-file.');
  }
  if (passphraseFile !== undefined) return { passphrase: textOf(passphraseFile).replace(/\r?\n$/, '') };
  if (identityFile === undefined) return null;
  const lines = textOf(identityFile).split('\n');
  const identity = lines.map((line) => line.trim()).find((line) => line.startsWith('AGE-SECRET-KEY-1'));
  if (identity === undefined) throw new UsageError(`${identityFile} has no line that begins with AGE-SECRET-KEY-1.`);
  return { identity };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read.`);
  }
}

/** A refusal of a server command is a failure at run time: exit 1. */
export async function stopping<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof AppError ? new OperatorError(error.message, { cause: error }) : error;
  });
}

async function list(isJson: boolean): Promise<void> {
  await withLocalApp(async ({ instance }) => {
    const all = await listBackups(instance);
    if (isJson) {
      process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
      return;
    }
    if (all.length === 0) process.stderr.write('No backups.\n');
    for (const one of all) {
      const lock = one.encrypted === null ? '–' : one.encrypted ? 'encrypted' : 'plain';
      const proof = one.verified_at === null ? one.status : `proved ${one.verified_at}`;
      const cells = [one.name, one.created_at, one.size_bytes, one.kind, one.program_version, lock, proof];
      process.stdout.write(`${shownText(cells.map((cell) => cell ?? '–').join('  '))}\n`);
    }
  });
}
