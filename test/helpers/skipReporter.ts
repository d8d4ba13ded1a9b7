import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Modes of files bind nobody who is root: no program that is installed could change that. */
const NOT_AS_ROOT = 'not as root'

/**
 * The last line of a test run: what was skipped and why, a count for each reason. With `KODE_RUN_NO_SKIP=1` a skipped test
 * fails the run. Tests that a tag leaves out are no matter of a machine, and nothing is said of them.
 */
export function createSkipReporter({ leftOut }: { readonly leftOut: readonly string[] }): Reporter {
  let isPicked = false
  return {
    onInit({ config }) {
      // Somebody asked for some tests by name: the others are not missing.
      isPicked = config.testNamePattern !== undefined
    },
    onTestRunEnd(modules) {
      if (isPicked) return
      const skipped = modules.flatMap(testsOf).filter((test) => isSkipped(test, leftOut))
      if (skipped.length === 0) return
      const counts = new Map<string, number>()
      for (const test of skipped) counts.set(reasonOf(test), (counts.get(reasonOf(test)) ?? 0) + 1)
      const reasons = [...counts].toSorted(([, a], [, b]) => b - a).map(([reason, count]) => `${reason} (${count})`)
      console.log(`Skipped ${skipped.length} tests: ${reasons.join(', ')}.`)
      const refused = skipped.filter((test) => reasonOf(test) !== NOT_AS_ROOT)
      if (process.env['KODE_RUN_NO_SKIP'] !== '1' || refused.length === 0) return
      for (const test of refused) console.log(`  ${test.module.relativeModuleId}: ${test.fullName}`)
      process.exitCode = 1
    },
  }
}

function testsOf(module: TestModule): TestCase[] {
  return [...module.children.allTests()]
}

function isSkipped(test: TestCase, leftOut: readonly string[]): boolean {
  if (test.result().state !== 'skipped') return false
  return !leftOut.some((tag) => (test.options.tags ?? []).includes(tag))
}

/** What the test itself says, or what stands in brackets in its name or that of a group around it. */
function reasonOf(test: TestCase): string {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  const named = [...test.fullName.matchAll(/\((?:skipped:? )?((?:needs|without|no|there is|not) [^():]*)[^()]*\)/g)]
  return (note ?? named.at(-1)?.[1] ?? 'for want of a program or system').replace(/\s+/g, ' ')
}
