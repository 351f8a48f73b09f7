import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Command } from 'commander';

import type { App } from '../../../app.ts';
import { parseKey, resetMasterKey, rotateEncryption, type GivenUp } from '../../../features/encryption/index.ts';
import { processEnvironment } from '../../../kernel/config.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { UsageError } from '../exit.ts';
import { confirm } from './ask.ts';
import { withLocalApp } from './local-app.ts';

interface RotateFlags {
  generate?: boolean;
  newKeyFile?: string;
  yes?: boolean;
}

export function addEncryptionCommands(keys: Command): void {
  keys
    .command('rotate-encryption')
    .description('encrypt all stored secrets with a new key; stop the server first')
    .option('--generate', 'generate the new key (the default for a key file in the data directory)')
    .option(
      '--new-key-file <file>',
      'take the new key from this file; required with ENCRYPTION_KEY or ENCRYPTION_KEY_FILE',
    )
    .option('--yes', 'do not ask for confirmation')
    .action((flags: RotateFlags) => rotate(flags));
  keys
    .command('reset-encryption')
    .description('discard all stored secrets because their key is lost; stop the server first')
    .option('--yes', 'do not ask for confirmation')
    .action((flags: { yes?: boolean }) => reset(flags.yes === true));
}

async function rotate({ generate, newKeyFile, yes }: RotateFlags): Promise<void> {
  if (generate === true && newKeyFile !== undefined)
    throw new UsageError('Use --generate or --new-key-file, not both.');
  const given = newKeyFile === undefined ? undefined : readNewKey(newKeyFile);
  await requireYes(yes === true, 'Encrypt all stored secrets with a new key?');
  await withLocalApp(
    async ({ instance }) => {
      if (!given && instance.keySource !== 'key_file') {
        throw new UsageError('--new-key-file is required, so that the new key exists before anything depends on it.');
      }
      const { oldKeyId, newKeyId, recordCount } = await rotateEncryption(instance, given ?? instance.random.bytes(32));
      const secrets = recordCount === 1 ? '1 secret' : `${recordCount} secrets`;
      process.stdout.write(`Encrypted ${secrets} with the key ${newKeyId} instead of ${oldKeyId}.\n`);
      process.stderr.write(`${nextStep(instance, newKeyFile)}\n`);
    },
    { exclusive: 'keys rotate-encryption' },
  );
}

function readNewKey(path: string): Uint8Array {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`--new-key-file: ${path} cannot be read.`);
  }
  const key = parseKey(text);
  if (!key) throw new UsageError(`--new-key-file: ${path} must contain exactly 64 hexadecimal digits.`);
  return key;
}

/** What must be done before the server starts again. */
function nextStep({ keySource, keyFile }: App['instance'], newKeyFile: string | undefined): string {
  const keep = 'Keep the old key: older backups need it.';
  if (keyFile !== null) {
    return `Copy ${keyFile} to a safe place. The old key is in ${keyFile}.previous. ${keep}`;
  }
  const place = resolve(newKeyFile ?? '');
  if (keySource === 'env') return `Before the next start, set ENCRYPTION_KEY to the key in ${place}. ${keep}`;
  const old = processEnvironment()['ENCRYPTION_KEY_FILE'] ?? '';
  return `Before the next start, set ENCRYPTION_KEY_FILE to ${place}, or put its key into ${resolve(old)}. ${keep}`;
}

async function reset(isConfirmed: boolean): Promise<void> {
  await requireYes(
    isConfirmed,
    'Discard all stored credentials (of banks, providers, models and notification channels) because their key is lost?',
  );
  let givenUp: GivenUp | undefined;
  await withLocalApp(
    async (app) => {
      if (!givenUp) throw new OperatorError('The encryption key was not reset.');
      const { lostKeyId, newKeyId, connectionCount, secretCount, channelCount } = givenUp;
      process.stdout.write(
        `Discarded the secrets of the key ${lostKeyId}. New secrets are encrypted with ${newKeyId}.\n` +
          `Connections that need a new sign-in: ${connectionCount}. Secrets of providers and models to enter again: ${secretCount}. ` +
          `Notification channels to set up again: ${channelCount}.\n`,
      );
      if (app.madeKeyFile !== null) {
        process.stderr.write(`Created the encryption key ${app.madeKeyFile}: keep a copy of it in a safe place.\n`);
      }
    },
    {
      exclusive: 'keys reset-encryption',
      loadKey: (parts) =>
        resetMasterKey(parts, (told) => {
          givenUp = told;
        }),
    },
  );
}

async function requireYes(isConfirmed: boolean, question: string): Promise<void> {
  if (isConfirmed || (await confirm(`${question} [y/N] `))) return;
  throw new UsageError('Nothing was changed. To confirm, answer y or add --yes.');
}
