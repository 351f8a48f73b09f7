import { runCommandLine } from './surfaces/cli/program.ts';

// Whoever read the output may stop, as `head` does: commands end as usual, and a server goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`error: Standard output cannot be written (${error.message}).\n`);
  process.exitCode ||= 1;
});
// Nobody can be told, and a server serves all the same.
process.stderr.on('error', () => undefined);

// Without `await`, which a built program cannot have here.
void runCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code || process.exitCode;
});
