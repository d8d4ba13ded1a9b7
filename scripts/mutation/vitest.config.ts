import { defineConfig } from 'vitest/config'
import { createWarmPool } from './createWarmPool.ts'

const tags = {
  tags: [
    { name: 'long', description: 'Takes longer than a person waits.' },
    { name: 'night', description: 'Takes a minute or more.' },
  ],
  tagsFilter: [process.env['KODE_RUN_MUTATION_TAGS'] ?? '!long && !night'],
}

/** The tests of the mutated files alone, named by `scripts/mutate.ts`, with what `vitest.config.ts` gives all tests. */
export default defineConfig({
  plugins: [
    {
      // A process that stays warm would keep the schemas that it built without the mutant.
      name: 'schemas-anew',
      transform: (code, id) => (id.endsWith('/src/Tool.ts') ? code.replaceAll(/\bonce(?=\()/g, '') : undefined),
    },
    {
      name: 'warm-pool',
      configureVitest({ project, vitest: { state } }) {
        // Stryker looks at tests alone, and a file that cannot be loaded has none.
        const collect = state.collectFiles.bind(state)
        state.collectFiles = (owner, files = []) => {
          const broken = files.find(({ result, tasks }) => result?.state === 'fail' && tasks.length === 0)
          if (broken !== undefined) state.catchError(broken.result?.errors?.[0], 'Load Error')
          collect(owner, files)
        }
        const poolRunner = createWarmPool()
        Object.assign(project.config, { pool: poolRunner.name, poolRunner })
      },
    },
  ],
  test: {
    ...tags,
    testTimeout: 20_000,
    expect: { poll: { timeout: 5_000 } },
    globalSetup: ['test/helpers/globalSetup.ts'],
    setupFiles: ['scripts/mutation/loadAnew.ts'],
    isolate: false,
    include: JSON.parse(process.env['KODE_RUN_MUTATION_TESTS'] ?? '[]'),
  },
})
