import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What takes longer than a person waits: `npm run test:all`.
    exclude: [
      '**/node_modules/**',
      'test/**/repo/**',
      ...(process.env['KODE_RUN_TESTS'] === 'all' ? [] : ['**/*.long.test.ts']),
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a test waits for has its effect in milliseconds, but not on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/helpers/globalSetup.ts'],
  },
})
