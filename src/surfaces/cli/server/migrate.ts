import type { Command } from 'commander';

import { lookAtSchema, migrateAlone, rehearseMigration, systemTime } from '../../../app.ts';
import { processEnvironment, readConfig, type Config } from '../../../kernel/config.ts';
import { UsageError } from '../exit.ts';

interface Flags {
  status?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the schema of this program; a start does that too. Stop the server first')
    .option('--status', 'only show the schema, and what is to be done')
    .option('--dry-run', 'rehearse it: on a copy, or in a transaction that is rolled back')
    .option('--json', 'print JSON')
    .action(async (flags: Flags) => {
      if (flags.status === true && flags.dryRun === true) throw new UsageError('Use --status or --dry-run, not both.');
      const config = readConfig({ ...processEnvironment(), LOG_LEVEL: 'warn' });
      const result = await (flags.status === true ? status(config) : run(config, flags.dryRun === true));
      process.stdout.write(flags.json === true ? `${JSON.stringify(result.json, null, 2)}\n` : `${result.text}\n`);
    });
}

interface Result {
  text: string;
  json: unknown;
}

async function status(config: Config): Promise<Result> {
  const { version, newest, pending } = await lookAtSchema(config);
  const names = pending.map((step) => `${step.version} (${step.name})`);
  return {
    text:
      pending.length === 0
        ? `The schema is at version ${version}, the newest of this program.`
        : `The schema is at version ${version}, and this program has ${newest}. To be done: ${names.join(', ')}.`,
    json: { version, newest, pending: pending.map((step) => ({ version: step.version, name: step.name })) },
  };
}

async function run(config: Config, isRehearsal: boolean): Promise<Result> {
  const how = { config, now: systemTime };
  const { from, to, snapshot } = await (isRehearsal ? rehearseMigration(how) : migrateAlone(how));
  const json = { from, to, dry_run: isRehearsal, copy: snapshot };
  if (from === to) return { text: `The schema is at version ${to}, the newest of this program.`, json };
  const checked = 'Rows, sums and the rules of the ledger are the same before and after.';
  if (isRehearsal)
    return { text: `A migration from version ${from} to ${to} works. ${checked} Nothing was changed.`, json };
  const copy = snapshot === null ? '' : ` The database before it is ${snapshot}.`;
  return { text: `The schema went from version ${from} to ${to}. ${checked}${copy}`, json };
}
