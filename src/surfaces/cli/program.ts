import { Command } from 'commander';

import { VERSION } from '../../kernel/config.ts';
import { EXIT, explainFailure } from './exit.ts';
import { addDemoCommand } from './server/demo.ts';
import { addEncryptionCommands } from './server/encryption.ts';
import { addInitCommand } from './server/init.ts';
import { addKeysCommands } from './server/keys.ts';
import { addServeCommand } from './server/serve.ts';
import { addUsersCommands } from './server/users.ts';

/** Runs one command line and returns the exit code. Results go to stdout, everything else to stderr. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const program = new Command('homeledger')
    .description('Self-hosted household financial data')
    .version(VERSION, '--version')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(`error: ${text.replace(/^error: /, '')}`) });
  addServeCommand(program);
  addInitCommand(program);
  addUsersCommands(program);
  addEncryptionCommands(addKeysCommands(program));
  addDemoCommand(program);
  program
    .command('version')
    .description('print the version')
    .option('--json', 'print JSON, with runtime and platform')
    .action((options: { json?: boolean }) => {
      const full = {
        version: VERSION,
        runtime: `node ${process.versions.node}`,
        platform: `${process.platform}-${process.arch}`,
      };
      process.stdout.write(options.json === true ? `${JSON.stringify(full, null, 2)}\n` : `${VERSION}\n`);
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
