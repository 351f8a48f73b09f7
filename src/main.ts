import { runCommandLine } from './surfaces/cli/program.ts';

process.exitCode = await runCommandLine(process.argv.slice(2));
