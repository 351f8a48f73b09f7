import type { Command } from 'commander';

import { createApp, lookAtDatabase, programVersion, type App } from '../../../../app.ts';
import { systemClock } from '../../../../kernel/clock.ts';
import { ConfigError, processEnvironment, readConfig, type Config } from '../../../../kernel/config.ts';
import { OperatorError } from '../../../../kernel/errors.ts';
import { createLogger } from '../../../../kernel/logger.ts';
import { CheckFailed, shownText, UsageError } from '../../exit.ts';
import { confirm } from '../ask.ts';
import { bankChecks, networkChecks } from './banks.ts';
import { CHECK_MS, type CheckResult, type DoctorCheck, type Finding, type Patient } from './check.ts';
import { findFixes } from './fixes.ts';
import { householdChecks } from './household.ts';
import { installationChecks, isUsable } from './installation.ts';
import { examineHost } from './remote.ts';

interface DoctorFlags {
  offline?: boolean;
  json?: boolean;
  host?: string;
  fix?: boolean;
  yes?: boolean;
}

/** Every check of this installation, in the order in which they are shown (contract 85.6). */
const CHECKS: readonly DoctorCheck[] = [...installationChecks, ...bankChecks, ...householdChecks, ...networkChecks];

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this installation, or another server, and say what to do about what is wrong')
    .option('--offline', 'ask nothing of the network')
    .option('--host <name>', 'check the server of this name in hosts.toml instead')
    .option('--fix', 'mend what is safe to mend: file rights, dead leases, missing indexes, left-over files')
    .option('--yes', 'do not ask before --fix')
    .option('--json', 'print JSON')
    .action((flags: DoctorFlags) => doctor(flags));
}

async function doctor(flags: DoctorFlags): Promise<void> {
  const { host, fix, offline, json } = flags;
  if (host !== undefined && (fix === true || offline === true)) {
    throw new UsageError('--host checks another server, so --fix and --offline cannot be used with it.');
  }
  if (fix === true) await mend(flags);
  const checks = host === undefined ? await examine(offline === true) : await examineHost(host);
  const ok = checks.every(({ status }) => status !== 'fail');
  process.stdout.write(json === true ? `${JSON.stringify({ checks, ok }, null, 2)}\n` : asText(checks));
  if (!ok) throw new CheckFailed();
}

async function examine(isOffline: boolean): Promise<CheckResult[]> {
  return withPatient(isOffline, async (patient) => {
    const results: CheckResult[] = [];
    for (const { name, look } of CHECKS) {
      const { status, message, remediation = null } = await within(async () => look(patient));
      results.push({ name, status, message: shownText(message), remediation });
    }
    return results;
  });
}

/** Each check has its time; one that cannot be made has failed. */
async function within(look: () => Promise<Finding>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    const finding: Finding = { status: 'warn', message: 'This check took longer than 10 seconds.' };
    timer = setTimeout(() => resolve(finding), CHECK_MS);
  });
  const made = look().catch((error: Error): Finding => ({ status: 'fail', message: `Not checked: ${saidBy(error)}` }));
  return Promise.race([made, late]).finally(() => clearTimeout(timer));
}

async function withPatient<T>(isOffline: boolean, fn: (patient: Patient) => Promise<T>): Promise<T> {
  const { config, problems } = configuration();
  const logger = await createLogger({ level: 'error', format: 'json', destination: { write: () => undefined } });
  const seen = {
    config,
    problems,
    database: null,
    trouble: '',
    keyTrouble: null,
    newest: programVersion(),
    isOffline,
    now: systemClock.now(),
  };
  const looked = config
    ? await lookAtDatabase(config, logger, CHECK_MS - 1_000).then(
        (database) => ({ ...seen, database }),
        (error: Error) => ({ ...seen, ...troubleOf(error) }),
      )
    : seen;
  const app = config && isUsable(looked) ? await open(config, logger) : null;
  try {
    return await fn({ ...looked, app });
  } finally {
    await app?.close();
  }
}

/** A key file that cannot be read stops every look at the database; that is not the database's fault. */
function troubleOf(error: Error): Pick<Patient, 'trouble' | 'keyTrouble'> {
  const isOfKey = error instanceof OperatorError && /encryption key|hexadecimal/.test(error.message);
  return { trouble: saidBy(error), keyTrouble: isOfKey ? error.message : null };
}

/** What an engine says may quote the address of the database, with its password. */
function saidBy(error: Error): string {
  return error instanceof OperatorError ? error.message : ((error as { code?: string }).code ?? error.name);
}

function configuration(): { config: Config | null; problems: readonly string[] } {
  try {
    return { config: readConfig({ ...processEnvironment(), LOG_LEVEL: 'error' }), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { config: null, problems: error.problems };
    throw error;
  }
}

/** Nothing is made by it: the database is there, current and has its key. */
async function open(config: Config, logger: App['instance']['logger']): Promise<App | null> {
  return createApp({ ...config, admin: null }, { workers: 0, mayMakeDatabase: false, logger }).catch(() => null);
}

async function mend({ yes, offline }: DoctorFlags): Promise<void> {
  await withPatient(offline === true, async (patient) => {
    const fixes = await findFixes(patient);
    if (fixes.length === 0) {
      process.stderr.write('There is nothing to mend.\n');
      return;
    }
    for (const { what } of fixes) process.stderr.write(`- ${shownText(what)}\n`);
    const isAgreed = yes === true || (await confirm('Do this? [y/N] '));
    if (!isAgreed) throw new UsageError('Nothing was changed. To confirm, answer y or add --yes.');
    for (const { mend: mendOne } of fixes) await mendOne();
    process.stderr.write('Done.\n');
  });
}

const MARKS = { pass: 'ok  ', warn: 'warn', fail: 'FAIL', skip: '–   ' } as const;

function asText(checks: readonly CheckResult[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, status, message, remediation }) => {
      const more = remediation === null ? '' : `\n${' '.repeat(width + 6)}${remediation}`;
      return `${MARKS[status]}  ${name.padEnd(width)}  ${message}${more}\n`;
    })
    .join('');
}
