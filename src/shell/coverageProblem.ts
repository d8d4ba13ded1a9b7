import type { Word } from '../contracts/subject.ts'
import { pythonModule } from './pythonModule.ts'
import { textOf } from './textOf.ts'

/** Modules that run what their words say. */
const RUNNING =
  /^(?:asyncio|code|codeop|cProfile|doctest|ensurepip|http\.server|idlelib.*|pdb|pip|profile|pty|runpy|timeit|trace|venv|zipapp)$/

/** Why a wildcard does not cover these words of `coverage run`: the code comes with them, or from the input. */
export function coverageProblem(argv: readonly Word[]): string | undefined {
  const at = argv.findIndex((word, index) => index > 0 && /^[^-]/.test(textOf(word)))
  if (textOf(argv[at]) !== 'run') return undefined
  const words = argv.slice(at)
  const module = pythonModule(words)?.module ?? ''
  const isInput = words.some((word) => /^(?:-|\/dev\/.*|\/proc\/.*)$/.test(textOf(word)))
  return RUNNING.test(module) || isInput ? `coverage run ${module} runs what it is given` : undefined
}
