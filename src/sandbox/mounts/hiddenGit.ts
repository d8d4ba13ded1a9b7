import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from '../bubblewrapArguments.ts'

/** The hidden paths of one repository, relative to its top, with a leading `/`. */
export type HiddenInGit = {
  /** The repository's own folder. */
  readonly git: string
  readonly tracked: readonly string[]
  readonly untracked: readonly string[]
}

/** Where children find the settings. */
const FOLDER = '/run/kode-run/git'

/**
 * Settings that make git treat hidden files as unchanged and ignore hidden files that it does not track. If a file's
 * times differ, git asks a filter for its content; ours answers with the content in the index.
 */
export function hiddenGit(repositories: readonly HiddenInGit[], scratch: string) {
  if (repositories.length === 0) return { mounts: [], environment: {} }
  const folder = join(scratch, 'hidden-git')
  mkdirSync(folder)
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    return join(FOLDER, name)
  }
  const includes = repositories.flatMap(({ git, tracked, untracked }, index) => {
    const attributes = write(
      `attributes-${index}`,
      tracked.map((path) => `${quote(literal(path))} filter=${FILTER}`),
    )
    const excludes = write(`excludes-${index}`, untracked.map(literal))
    const lines = ['[core]', `\tattributesFile = ${attributes}`, `\texcludesFile = ${excludes}`, ...SETTINGS]
    return [`[includeIf ${quote(`gitdir:${git}`)}]`, `\tpath = ${write(`config-${index}`, lines)}`]
  })
  const machine = existsSync('/etc/gitconfig') ? ['[include]', '\tpath = /etc/gitconfig'] : []
  const mounts: Mount[] = [{ kind: 'readOnly', source: folder, target: FOLDER }]
  return { mounts, environment: { GIT_CONFIG_SYSTEM: write('config', [...machine, ...includes]) } }
}

const FILTER = 'kode-run-hidden'

const SETTINGS = [
  `[filter "${FILTER}"]`,
  '\tclean = git cat-file blob :%f',
  '\tsmudge = cat',
  // A file that is not in the index has no content to answer with. A failed commit is better than one of an empty file.
  '\trequired = true',
]

/** A path as a pattern that matches only itself. */
function literal(path: string): string {
  return path.replace(/[\\*?[]/g, '\\$&')
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
