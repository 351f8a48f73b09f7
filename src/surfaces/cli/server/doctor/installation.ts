import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { LIMITS } from '../../../../kernel/limits.ts';
import { fail, ofConfig, pass, skip, warn, type DoctorCheck, type Finding, type Patient } from './check.ts';

const configuration: DoctorCheck = {
  name: 'configuration',
  look: ({ problems }) =>
    problems.length === 0
      ? pass('All settings are known and valid.')
      : fail(problems.join(' '), 'Correct these variables and start again.'),
};

const dataDirectory = ofConfig('data-directory', async ({ dataDir }) => {
  if (!existsSync(dataDir)) {
    return fail(`The data directory ${dataDir} does not exist.`, 'Set HOMELEDGER_DATA_DIR, or run `homeledger init`.');
  }
  try {
    accessSync(dataDir, constants.W_OK);
  } catch {
    return fail(`The data directory ${dataDir} cannot be written to.`, 'Run this as the user who owns it.');
  }
  const wide = tooWide(dataDir);
  if (wide.length > 0) {
    return warn(`Others can open ${wide.map(({ path }) => path).join(', ')}.`, 'Run `homeledger doctor --fix`.');
  }
  const { bavail, bsize } = await statfs(dataDir);
  const mebibytes = Math.floor((bavail * bsize) / 2 ** 20);
  const message = `${dataDir} can be written to and has ${mebibytes} MiB free.`;
  if (bavail * bsize >= LIMITS.doctorFreeBytes) return pass(message);
  return warn(message, 'Free at least 1 GiB on this disk.');
});

const FILES = /^(homeledger\.sqlite(-wal|-shm)?|encryption\.key(\.previous)?)$/;

/** The folders and files of the installation that others than their owner may open. */
export function tooWide(dataDir: string): { path: string; mode: number }[] {
  const folders = [dataDir, join(dataDir, 'backups')].filter((path) => existsSync(path));
  const backups = join(dataDir, 'backups');
  const files = [
    ...readdirSync(dataDir)
      .filter((name) => FILES.test(name))
      .map((name) => join(dataDir, name)),
    ...(existsSync(backups) ? readdirSync(backups).map((name) => join(backups, name)) : []),
  ].filter((path) => statSync(path).isFile());
  return [...folders.map((path) => ({ path, mode: 0o700 })), ...files.map((path) => ({ path, mode: 0o600 }))].filter(
    ({ path }) => (statSync(path).mode & 0o077) !== 0,
  );
}

const OLDEST_POSTGRES = 13;

const database = ofConfig('database', (_config, patient) => {
  const { database: seen } = patient;
  if (seen === null)
    return fail(`The database cannot be opened: ${patient.trouble}`, 'Check DATABASE_URL or the data directory.');
  if (seen.tables === 'missing' || seen.tables === 'none') {
    return fail(
      'There is no household in the database.',
      'Run `homeledger init`, or put your newest copy of the database in its place.',
    );
  }
  if (seen.tables === 'foreign')
    return fail('The database belongs to another program.', 'Set DATABASE_URL to that of Homeledger.');
  if (seen.serverVersion !== null && seen.serverVersion < OLDEST_POSTGRES) {
    return fail(`PostgreSQL ${seen.serverVersion} is too old.`, `Use PostgreSQL ${OLDEST_POSTGRES} or later.`);
  }
  if (seen.damage.length > 0)
    return fail(
      `The database is damaged: ${seen.damage.join('; ')}.`,
      'Put your newest copy of the database in its place.',
    );
  if (seen.missingIndexes.length > 0) {
    return warn(`Indexes are missing: ${seen.missingIndexes.join(', ')}.`, 'Run `homeledger doctor --fix`.');
  }
  if (!seen.isReadWhole) return pass('No damage was found in the time there was. `homeledger verify` reads all of it.');
  return pass('The database can be opened and is undamaged.');
});

const migrations = ofConfig('migrations', (_config, { database: seen, newest }) => {
  if (seen?.tables !== 'own') return NO_DATABASE;
  if (seen.version > newest) {
    return fail(
      `The database has schema version ${seen.version}; this program knows ${newest}.`,
      'Start a newer version of Homeledger.',
    );
  }
  if (seen.isForeignStep) {
    return fail(
      'The schema was made by other steps than those of this program.',
      'Start the version of Homeledger that made it.',
    );
  }
  if (seen.version < newest) {
    return warn(
      `The database has schema version ${seen.version} of ${newest}.`,
      'Run `homeledger migrate`, or start the server.',
    );
  }
  return pass(`The schema is at version ${seen.version}.`);
});

const NO_DATABASE: Finding = skip('Not looked at, because the database cannot be used as it is.');

const encryptionKey = ofConfig('encryption-key', (_config, { database: seen, keyTrouble }) => {
  if (keyTrouble !== null) return fail(keyTrouble, 'Put the right key in its place.');
  if (seen?.tables !== 'own') return NO_DATABASE;
  const { neededId, found, recordCount, unreadable } = seen.key;
  if (neededId === null) return warn('The database has no encryption key yet.', 'Start the server once.');
  if (!found.some(({ isRight }) => isRight)) {
    const there = found.map(({ keyId, where }) => `${keyId} in ${where}`).join(', ') || 'none';
    return fail(
      `The database needs the encryption key ${neededId}; at hand is ${there}.`,
      'Put that key in its place, or discard the stored secrets with `homeledger keys reset-encryption`.',
    );
  }
  if (unreadable.length > 0) {
    return fail(`Secrets cannot be decrypted: ${unreadable.join(', ')}.`, 'Enter these again.');
  }
  return pass(`The key ${neededId} reads the stored secrets (${recordCount}).`);
});

/** What can be said of an installation whose database need not work. */
export const installationChecks: readonly DoctorCheck[] = [
  configuration,
  dataDirectory,
  database,
  migrations,
  encryptionKey,
];

export function isUsable({ database: seen, newest, keyTrouble }: Omit<Patient, 'app'>): boolean {
  if (seen === null || keyTrouble !== null || seen.tables !== 'own' || seen.damage.length > 0 || seen.isForeignStep)
    return false;
  return seen.version === newest && seen.key.found.some(({ isRight }) => isRight);
}
