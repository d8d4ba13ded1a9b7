import { cargoStack } from './cargoStack.ts'
import { markedStack } from './markedStack.ts'
import { nodeStack } from './nodeStack.ts'
import type { ProjectFiles } from './ProjectFiles.ts'
import { pythonStack } from './pythonStack.ts'
import { EMPTY_STACK, type Stack, type StackFinder } from './Stack.ts'
import { taskStack } from './taskStack.ts'

/** Makefiles last: beside a manifest they only call its tools. */
const FINDERS: readonly StackFinder[] = [nodeStack, pythonStack, cargoStack, markedStack, taskStack]

/** The stacks of a project: those at its root, else those of its folders, with commands that start at the root. */
export function findStacks(files: ProjectFiles): readonly Stack[] {
  const atRoot = stacksIn(files, '.')
  if (atRoot.some(({ name }) => !TASKS.has(name))) return atRoot
  const folders = new Set([...files.paths].flatMap((path) => path.split('/').slice(0, -1).slice(0, 1)))
  const below = [...folders].sort().flatMap((folder) => stacksIn(files, folder).map((stack) => within(stack, folder)))
  return [...atRoot, ...below]
}

const TASKS = new Set(['make', 'just'])

function stacksIn(files: ProjectFiles, folder: string): readonly Stack[] {
  const stacks = FINDERS.flatMap((find) => find(files, folder) ?? [])
  return stacks.filter(({ name }) => folder === '.' || !TASKS.has(name))
}

function within(stack: Stack, folder: string): Stack {
  const from = (line: string) => `cd ${folder} && ${line}`
  const { test, install, linters, name } = stack
  return {
    ...EMPTY_STACK,
    ...stack,
    name: `${name} in ${folder}`,
    test: test === undefined ? undefined : from(test),
    install: install === undefined ? undefined : from(install),
    linters: linters.map(from),
  }
}
