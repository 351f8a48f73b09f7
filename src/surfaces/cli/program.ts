import { Command, CommanderError } from 'commander';

import { AppError, OperatorError } from '../../kernel/errors.ts';
import { VERSION } from '../../kernel/version.ts';
import { addDemoCommand } from './server/demo.ts';
import { addKeysCommands } from './server/keys.ts';
import { addServeCommand } from './server/serve.ts';

/** Exit codes of contract 85.1. */
export const EXIT = { done: 0, failed: 1, usage: 2, refused: 5 } as const;

/** A mistake in how a command was called: exit 2, nothing done. */
export class UsageError extends Error {}

/** Runs one command line and answers with the exit code. Results go to stdout, everything else to stderr. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const program = new Command('homeledger')
    .description('Self-hosted household financial data')
    .version(VERSION, '--version')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(`error: ${text.replace(/^error: /, '')}`) });
  addServeCommand(program);
  addKeysCommands(program);
  addDemoCommand(program);
  program
    .command('version')
    .description('print the version')
    .option('--json', 'as JSON, with runtime and platform')
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
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof UsageError) return say(error.message, EXIT.usage);
  if (error instanceof AppError && error.code === 'UNAVAILABLE') {
    // What is known of the cause says what to do about it by itself.
    const isAway = error.message.startsWith('The database cannot be reached');
    const advice = isAway ? ' Check DATABASE_URL, and that no other program is using the database.' : '';
    return say(`${error.message}${advice}`, EXIT.failed);
  }
  if (error instanceof AppError) {
    const details = (error.extra.details ?? []).map((detail) => `\n  ${detail.path}: ${detail.message}`).join('');
    return say(`${error.code}: ${error.message}${details}`, EXIT.refused);
  }
  if (error instanceof OperatorError) return say(error.message, EXIT.failed);
  const { code, message, port } = error as { code?: string; message: string; port?: number };
  if (code === 'EADDRINUSE') return say(`Port ${port} is in use. Set PORT to another one.`, EXIT.failed);
  return say(message, EXIT.failed);
}

function say(message: string, code: number): number {
  process.stderr.write(`error: ${message}\n`);
  return code;
}
