import { resolve } from 'node:path'
import { inject, vi } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of Stryker: the name of the global value that says which mutant takes effect, and when it does. */
    globalNamespace: string
    mutantActivation?: 'static' | 'runtime'
  }
}

const HAS_MUTANT = Symbol.for('kode-run: modules were loaded with a mutant')

/**
 * Before each test file: a mutant in what runs while a module is loaded needs the modules once more, and so do the tests
 * after it, without the mutant. It costs a tenth of a new process.
 */
const isWhileLoading = inject('mutantActivation') === 'static'
if (isWhileLoading || Reflect.get(globalThis, HAS_MUTANT) === true) vi.resetModules()
Reflect.set(globalThis, HAS_MUTANT, isWhileLoading)

// What runs while a module is loaded counts as that, even where the first to load it would be a test.
const files: readonly string[] = JSON.parse(process.env['KODE_RUN_MUTATION_FILES'] ?? '[]')
for (const file of files) await import(resolve(file)).catch(() => undefined)

// Stryker names the next mutant only after the modules are loaded.
const state: unknown = Reflect.get(globalThis, inject('globalNamespace'))
if (!isWhileLoading && typeof state === 'object' && state !== null) Reflect.set(state, 'activeMutant', undefined)
