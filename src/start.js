#!/usr/bin/env -S node --max-semi-space-size=2 --v8-pool-size=2
import { enableCompileCache } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// JavaScript, and before everything else: where code is kept from earlier starts, nothing has to be stripped of types,
// and the compiler for that (17 MiB in each thread) is not loaded.
enableCompileCache();

await (isMainThread ? import('./main.ts') : import('./worker.ts'));
