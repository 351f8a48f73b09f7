#!/usr/bin/env -S node --max-semi-space-size=2 --v8-pool-size=2
import module from 'node:module';
import { isMainThread } from 'node:worker_threads';

// The same as `engines` in package.json: an older Node would only complain about the first file it cannot parse.
const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `error: Homeledger needs Node ${OLDEST_NODE} or newer; ${process.execPath} is ${process.version}. ` +
      'Run `npm ci` (without --omit=dev) to get the right version, or install it yourself.\n',
  );
  process.exit(1);
}

// JavaScript, and before everything else: with code cached by earlier starts, no types have to be stripped, and the
// compiler for that (17 MiB per thread) is not loaded.
module.enableCompileCache();

await (isMainThread ? import('./main.ts') : import('./worker.ts'));
