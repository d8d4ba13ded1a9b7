import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/helpers/LongFirst.ts'
import { createProvedReporter, readProved } from './test/helpers/provedFiles.ts'
import { isAll, isNight } from './test/helpers/sampled.ts'
import { createSkipReporter } from './test/helpers/skipReporter.ts'

/** Tags of what this run leaves out: what takes longer than a person waits, and what takes longer than CI does. */
const leftOut = [...(isAll ? [] : ['long']), ...(isNight ? [] : ['night'])]
const { KODE_RUN_PROVE: prove, KODE_RUN_PROVED: proved } = process.env
const exclude = [
  '**/node_modules/**',
  'test/**/repo/**',
  ...(isAll ? [] : ['**/*.long.test.ts']),
  ...(proved === undefined ? [] : readProved(proved)),
]

export default defineConfig({
  test: {
    tags: [
      { name: 'long', description: 'Takes longer than a person waits: only `npm run test:all` runs it.' },
      { name: 'night', description: 'Takes a minute or more: it runs at night, with KODE_RUN_TESTS=night.' },
    ],
    ...(leftOut.length === 0 ? {} : { tagsFilter: [leftOut.map((tag) => `!${tag}`).join(' && ')] }),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What a test waits for has its effect in milliseconds, but not on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    sequence: { sequencer: LongFirst },
    maxWorkers: 3,
    reporters: [
      'default',
      createSkipReporter({ leftOut }),
      ...(prove === undefined ? [] : [createProvedReporter(prove)]),
    ],
    globalSetup: ['test/helpers/globalSetup.ts'],
    // No test changes its process for the next file: a process for each of three hundred files would cost a minute.
    isolate: false,
    // Only the first run compiles what it imports: a file of the cache is named after what it was made from.
    experimental: { fsModuleCache: true },
    include: ['test/**/*.test.ts'],
    exclude,
  },
})
