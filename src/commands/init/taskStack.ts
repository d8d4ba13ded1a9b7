import type { ProjectFiles } from './ProjectFiles.ts'
import { EMPTY_STACK, inFolder, type Stack } from './Stack.ts'

const FILES = [
  { program: 'make', names: ['Makefile', 'makefile', 'GNUmakefile'], target: /^([A-Za-z][\w.-]*)\s*:(?!=)/gm },
  { program: 'just', names: ['justfile', 'Justfile', '.justfile'], target: /^@?([A-Za-z][\w-]*)(?:\s[^:=]*)?:(?!=)/gm },
]

/** A Makefile or a justfile, with its targets for tests and linters. */
export function taskStack(files: ProjectFiles, folder: string): Stack | undefined {
  for (const { program, names, target } of FILES) {
    const text = names.map((name) => files.read(inFolder(folder, name))).find((found) => found !== undefined)
    if (text === undefined) continue
    const targets = new Set([...text.matchAll(target)].flatMap(([, name = '']) => name))
    const first = (...wanted: readonly string[]) => wanted.find((name) => targets.has(name))
    const test = first('test', 'tests', 'check')
    const lint = first('lint')
    return {
      ...EMPTY_STACK,
      name: program,
      test: test === undefined ? undefined : `${program} ${test}`,
      linters: lint === undefined ? [] : [`${program} ${lint}`],
      image: 'debian:trixie',
    }
  }
  return undefined
}
