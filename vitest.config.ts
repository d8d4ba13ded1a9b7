import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/**/repo/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a test waits for has its effect in milliseconds, but not on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/helpers/globalSetup.ts'],
  },
})
