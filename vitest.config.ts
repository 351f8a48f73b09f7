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
    // Node loads our TypeScript itself, as it does outside of tests: nothing is transformed for that.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // What tests allocate dies young. In a larger nursery, collecting it takes a third less time.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // For what hangs: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
