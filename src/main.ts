import { runCommandLine } from './surfaces/cli/program.ts';

// Without `await`, which a built program cannot have here.
void runCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
