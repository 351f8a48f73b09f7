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
  auth: async (program) => (await import('./auth.ts')).addAuthCommands(program),
  mcp: async (program) => (await import('./server/mcp.ts')).addMcpCommand(program),
  demo: async (program) => (await import('./server/demo.ts')).addDemoCommand(program),
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
  program
    .command('version')
    .description('print the version')
    .option('--json', 'print JSON, with schema version, runtime and platform')
    .action(async ({ json }: { json?: boolean }) => {
      process.stdout.write(`${json === true ? JSON.stringify(await versions(), null, 2) : VERSION}\n`);
    });
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

/** The schema version is the newest that this program knows; the start brings a database up to it. */
async function versions(): Promise<Readonly<Record<string, string | number>>> {
  const { programVersion } = await import('../../db/migrate.ts');
  return {
    version: VERSION,
    schema_version: programVersion(),
    runtime: `node ${process.versions.node}`,
    platform: `${process.platform}-${process.arch}`,
  };
}
