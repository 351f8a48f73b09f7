import { Command } from 'commander';

import { VERSION } from '../../kernel/config.ts';
import { EXIT, explainFailure } from './exit.ts';

/** Each command by its first word. Only the one that is called is loaded: a server has no use for the others. */
const COMMANDS: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  serve: async (program) => (await import('./server/serve.ts')).addServeCommand(program),
  init: async (program) => (await import('./server/init.ts')).addInitCommand(program),
  users: async (program) => (await import('./server/users.ts')).addUsersCommands(program),
  keys: async (program) => {
    const [{ addKeysCommands }, { addEncryptionCommands }] = await Promise.all([
      import('./server/keys.ts'),
      import('./server/encryption.ts'),
    ]);
    addEncryptionCommands(addKeysCommands(program));
  },
  backup: async (program) => {
    const backup = program
      .command('backup')
      .description('make backups of this installation; works without a server or key');
    (await import('./server/recovery-key.ts')).addRecoveryKeyCommand(backup);
    (await import('./server/backup.ts')).addBackupCommands(backup);
  },
  verify: async (program) => (await import('./server/verify.ts')).addVerifyCommand(program),
  auth: async (program) => (await import('./auth.ts')).addAuthCommands(program),
  mcp: async (program) => (await import('./server/mcp.ts')).addMcpCommand(program),
  demo: async (program) => (await import('./server/demo.ts')).addDemoCommand(program),
  migrate: async (program) => (await import('./server/migrate.ts')).addMigrateCommand(program),
  doctor: async (program) => (await import('./server/doctor/doctor.ts')).addDoctorCommand(program),
  version: async (program) => (await import('./server/version.ts')).addVersionCommand(program),
};

/** Runs one command line and returns the exit code. Results go to stdout, everything else to stderr. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const program = new Command('homeledger')
    .description('Self-hosted household financial data')
    .version(VERSION, '--version')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(`error: ${text.replace(/^error: /, '')}`) });
  const called = COMMANDS[words[0] ?? ''];
  for (const add of called ? [called] : Object.values(COMMANDS)) await add(program);
  if (words.length === 0) {
    program.outputHelp();
    return EXIT.usage;
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return explainFailure(error);
  }
}
