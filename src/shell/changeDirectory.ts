import type { Word } from '../contracts/subject.ts'
import { pythonModule } from './pythonModule.ts'
import type { ShellContext } from './shellContext.ts'

/** The directory a command runs in; undefined where it is not known. */
export type Place = { readonly context: ShellContext; readonly cwd: string | undefined }

/** A `cd`: where it leads, and why it needs a rule of its own if it does. */
export type DirectoryChange = { readonly cwd: string | undefined; readonly problem?: string }

/** Follows `cd` to a literal directory inside the project; everything else leaves the directory unknown. */
export function changeDirectory(words: readonly Word[], { cwd, context }: Place): DirectoryChange {
  const operands = words
    .slice(1)
    .filter((word, index) => !(index === 0 && word.kind === 'literal' && word.value === '--'))
  const [target, ...more] = operands
  if (target?.kind !== 'literal' || more.length > 0) return { cwd: undefined, problem: 'where it leads is not known' }
  const path = target.value
  if (path === '' || path.startsWith('-')) return { cwd: undefined, problem: 'where it leads is not known' }
  if (cwd === undefined && !path.startsWith('/')) {
    return { cwd: undefined, problem: 'it starts from a directory that is not known' }
  }
  const forms = context.resolve(path.startsWith('~') ? `./${path}` : path, cwd ?? context.root)
  const isInside = [forms.lexical, forms.resolved, forms.physical].every((form) => isBelow(form, context.root))
  if (!isInside || forms.problem !== undefined) return { cwd: forms.lexical, problem: 'it leaves the project' }
  return { cwd: forms.lexical }
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)
}

/** Modules that run the project's code wherever they are; of any other a file of that name would run in its place. */
const RUNNERS = /^(?:pytest|unittest|doctest|tox|nox)(?:\.|$)/

/** Why a command must not run where a `cd` has led; undefined in the project root. */
export function placeProblem(argv: readonly Word[], { cwd, context }: Place): string | undefined {
  const name = argv[0]?.kind === 'literal' ? argv[0].value : ''
  const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
  const isRoot = cwd === context.root
  if (base === 'git' && !isRoot) {
    return 'git after cd is not allowed: a repository found there may run programs; stay in the project root'
  }
  const { module = '' } = /^python[\d.]*$/.test(base) && !isRoot ? (pythonModule(argv) ?? {}) : {}
  if (module !== '' && !RUNNERS.test(module)) {
    return `python -m ${module} after cd is not allowed: a file of that name found there would run; stay in the project root`
  }
  if (name.includes('/') && !name.startsWith('/') && !isRoot) return 'a relative program after cd'
  return name.split('/').includes('..') ? 'a program path with `..`' : undefined
}
