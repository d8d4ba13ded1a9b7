import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { TestRules } from '../policy/judgeCommand.ts'

const PROGRAMS = 'run,echo,cat,sort,find,sed,uniq,grep,tee,git status,printf'.split(',')
const EXACT = ['ln -s .. out/l', 'ln -sfn .. out/l', 'cp -P link out/p', 'cp -r sub out']
/** Named so that a rule for a wrapper alone is tried too. */
const RULED_WRAPPERS = 'env timeout xargs eval nice nohup exec setsid builtin stdbuf'.split(' ')

/** What the generated lines are judged by. */
export const ORACLE_RULES: TestRules = {
  allow: [...[...PROGRAMS, ...RULED_WRAPPERS].map((name) => `${name}:*`), 'lone', ...EXACT],
  deny: ['run bad:*'],
  edit: ['out'],
  secret: ['.secret'],
}

const PREFIXES = PROGRAMS.map((rule) => rule.split(' '))
const TRANSPARENT_WRAPPERS = 'timeout nice nohup stdbuf xargs time command builtin env bash sh'.split(' ')
const FREE =
  'cd pushd popd true false : test [ break continue exit return wait set shift type ulimit umask read export local declare unset trap eval'.split(
    ' ',
  )

/** They change files that their words name, which is not what words decide. */
export const CHANGING = ['sort', 'sed', 'uniq', 'tee', 'find', 'ln', 'cp']

/** Why an executed command is outside the rules; written apart from the product's matcher on purpose. */
export function argvProblem(given: readonly string[]): string | undefined {
  const own = given[0] === 'git' ? given.filter((word, index) => index !== 1 || word !== '--no-pager') : given
  // `-C` into the project is what `cd` there and git would be; the lines name no folder outside with it.
  const argv = own[0] === 'git' && own[1] === '-C' && own[2] === 'repo' ? ['git', ...own.slice(3)] : own
  const [name = '', ...rest] = argv
  if (name === 'run' && rest[0] === 'bad') return `denied: ${argv.join(' ')}`
  const isCovered =
    (argv.length === 1 && name === 'lone') ||
    EXACT.includes(argv.join(' ')) ||
    PREFIXES.some((words) => words.every((word, index) => argv[index] === word))
  return isCovered || TRANSPARENT_WRAPPERS.includes(name) || FREE.includes(name)
    ? undefined
    : `executed: ${argv.join(' ')}`
}

/** Every file below a folder with what is in it. */
export function listing(folder: string, below = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(join(folder, below))) {
    const path = join(below, name)
    const full = join(folder, path)
    const stat = lstatSync(full)
    if (stat.isDirectory()) {
      found.set(path, 'folder')
      for (const [inner, content] of listing(folder, path)) found.set(inner, content)
    } else
      found.set(
        path,
        stat.isSymbolicLink() ? `link ${readlinkSync(full)}` : stat.isFile() ? readFileSync(full, 'utf8') : 'special',
      )
  }
  return found
}

/** The paths that differ between two listings. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
}
