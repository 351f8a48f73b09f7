import { defineConfig } from 'vitest/config';

import { LongestFirst } from './test/harness/runner/longest-first.ts';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['{src,test,simulators,web}/**/*.test.ts'],
    globalSetup: ['test/harness/runner/temporary-root.ts', 'test/harness/runner/postgres-server.ts'],
    pool: 'forks',
    // The files of a worker share what they import, as the tests of one file do: no module of ours keeps state.
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Only for tests that hang: some take ten seconds, and a busy machine several times that.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
