#!/usr/bin/env -S node --max-semi-space-size=4
import { enableCompileCache } from 'node:module';

// Compiled code is kept between starts, which halves the time to the first answer.
enableCompileCache();

const { runCommandLine } = await import('./surfaces/cli/program.ts');

process.exitCode = await runCommandLine(process.argv.slice(2));
