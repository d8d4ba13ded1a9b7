import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * What may let a test end otherwise where more programs are installed or `KODE_RUN_TESTS` is set: a process or thread of its
 * own, the environment, a row that only some runs play, a module whose name is not in the text.
 */
const MAY_DIFFER =
  /child_process|worker_threads|playwright|node:(?:cluster|process|module)\b|process\.(?:env|binding|dlopen)|\/sampled\.ts|import\((?!\s*['"])/
/** And in a test: what was built, and what the system has. The product names these places in its rules. */
const PLACES = /\bdist\/|['"`]\/(?:usr|bin|sbin|opt|etc|proc)\b/

/**
 * Writes to `KODE_RUN_PROVE` the test files that a fuller run on the same checkout need not repeat: each of their tests ran
 * and passed, and nothing that they import, directly or not, may differ there.
 */
export function createProvedReporter(path: string): Reporter {
  let isPicked = false
  const texts = new Map<string, boolean>()
  return {
    onInit({ config }) {
      isPicked = config.testNamePattern !== undefined
    },
    onTestRunEnd(modules) {
      const proved = isPicked ? [] : modules.filter((module) => isWhole(module) && isSame(module, texts))
      writeFileSync(path, JSON.stringify(proved.map((module) => module.relativeModuleId)))
      console.log(`${proved.length} of ${modules.length} test files need not run again where more is installed.`)
    },
  }
}

/** The test files that the run before proved and this one leaves out; it says how many. */
export function readProved(path: string): string[] {
  const files = JSON.parse(readFileSync(path, 'utf8')) as string[]
  console.log(`Left out: ${files.length} test files without processes or skips, which passed in the run before.`)
  return files
}

function isWhole(module: TestModule): boolean {
  const tests = [...module.children.allTests()]
  return module.state() === 'passed' && tests.length > 0 && tests.every((test) => test.result().state === 'passed')
}

function isSame(module: TestModule, texts: Map<string, boolean>): boolean {
  const start = module.viteEnvironment?.moduleGraph.getModuleById(module.moduleId)
  if (start === undefined) return false
  const seen = new Set([start])
  for (const node of seen) {
    if (node.file === null) return false
    if (!texts.has(node.file)) texts.set(node.file, isPlain(node.file))
    if (texts.get(node.file) !== true) return false
    for (const imported of node.importedModules) seen.add(imported)
  }
  return true
}

function isPlain(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  return !MAY_DIFFER.test(text) && !(file.includes('/test/') && PLACES.test(text))
}
