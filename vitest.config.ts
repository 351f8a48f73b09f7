import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['{src,test,simulators}/**/*.test.ts'],
    globalSetup: ['test/harness/temporary-root.ts', 'test/harness/postgres-server.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
