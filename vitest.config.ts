import { defineConfig } from 'vitest/config'
import { createSkipReporter } from './test/helpers/skipReporter.ts'

const isAll = process.env['KODE_RUN_TESTS'] === 'all'

// What takes longer than a person waits: `npm run test:all`.
const exclude = ['**/node_modules/**', 'test/**/repo/**', ...(isAll ? [] : ['**/*.long.test.ts'])]

export default defineConfig({
  test: {
    tags: [{ name: 'long', description: 'Takes longer than a person waits: only `npm run test:all` runs it.' }],
    ...(isAll ? {} : { tagsFilter: ['!long'] }),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a test waits for has its effect in milliseconds, but not on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', createSkipReporter({ isAll })],
    globalSetup: ['test/helpers/globalSetup.ts'],
    // No test changes its process for the next file: a process for each of three hundred files would cost a minute.
    isolate: false,
    include: ['test/**/*.test.ts'],
    exclude,
  },
})
