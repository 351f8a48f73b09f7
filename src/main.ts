import { runCommandLine } from './surfaces/cli/program.ts';

// Whoever read the output may stop, as `head` does: commands end as usual, and a server goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// Without `await`, which a built program cannot have here.
void runCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
