import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChangeVerdict } from '../../../src/contracts/effects.ts'
import { type GitJudgeOptions, judgeGit } from '../../../src/effects/git/judgeGit.ts'
import type { RunGit } from '../../../src/git/own/ownGit.ts'
import { gitPlace } from '../../../src/git/places/gitPlace.ts'
import { type Files, makeFiles, writeFiles } from './makeFiles.ts'
import { changesBetween } from './playChanges.ts'

/** What git would say. A commit and an object are a letter, repeated. */
export type GitAnswers = {
  /** Lines of a letter and its parent: `b a`. Undefined: git fails. */
  readonly added?: readonly string[] | undefined
  /** The paths that differ, each with its mode, by `base..commit`. */
  readonly differing?: Readonly<Record<string, readonly (readonly [path: string, mode: string])[]>>
  /** The content of each blob. */
  readonly blob?: string | undefined
  readonly isPackTrue?: boolean
}

export type GitFiles = GitAnswers & {
  readonly before?: Files
  readonly now?: Files
  /** New files that are read from somewhere else, by name. */
  readonly elsewhere?: Readonly<Record<string, string>>
  readonly mayChangeGit?: boolean
  readonly options?: Partial<GitJudgeOptions>
}

export const oid = (letter: string) => letter.repeat(40)

/** Judges the change from some files of a git directory to others. No git runs: `GitAnswers` stand for it. */
export async function judgeGitFiles(files: GitFiles) {
  const folder = makeFiles({ 'tree/.git/': '', 'copy/.git/': '' })
  const [top, copy, own] = [join(folder, 'tree'), join(folder, 'copy'), join(folder, 'own')]
  writeFiles(join(top, '.git'), files.before ?? {})
  writeFiles(join(copy, '.git'), files.now ?? {})
  const gitDir = join(top, '.git')
  const repository = { top, gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' } as const
  const changes = changesBetween(top, copy).flatMap((change) => {
    const place = change.entry === 'folder' ? undefined : gitPlace(change.path, [repository])
    return place === undefined ? [] : [{ change, place }]
  })
  const asked: string[] = []
  const aside = new Map<string, readonly string[]>()
  const verdicts = await judgeGit(repository, changes, {
    context: {
      effects: { access: 'write', mayChangeGit: files.mayChangeGit ?? true, by: 'x' },
      states: {
        now: (path) => files.elsewhere?.[path.slice(gitDir.length + 1)] ?? path.replace(top, copy),
        before: (path) => (existsSync(path) ? path : undefined),
      },
    },
    options: {
      refusal: (path) => (path.startsWith(join(top, 'docs')) ? { kind: 'refused', why: 'no rule' } : undefined),
      ruled: () => ({ behavior: 'ask' }),
      linkProblem: (_, target) => (target === 'out' ? 'it leads out' : undefined),
      runGit: answering(files, asked, own),
      folder: own,
      forgotten: new Map(),
      aside,
      ...files.options,
    },
  })
  const name = (at: number) => changes[at]?.place.name ?? ''
  return {
    verdicts: verdicts.map((verdict, at) => `${name(at)} ${shown(verdict)}`.replaceAll(`${gitDir}/`, '')),
    ...{ full: verdicts, asked, gitDir, aside },
    /** What git would have read objects from; undefined if it was not asked. */
    objects: existsSync(own) ? readFileSync(join(own, 'objects/info/alternates'), 'utf8') : undefined,
    read: (path: string) => readFileSync(join(copy, '.git', path)),
  }
}

function shown(verdict: ChangeVerdict): string {
  return 'why' in verdict ? `${verdict.kind}: ${verdict.why}` : verdict.kind
}

function answering(answers: GitAnswers, asked: string[], own: string): RunGit {
  return async (args, _environment, _signal, input = '') => {
    const [command = ''] = args
    const write = (text: string | undefined) => {
      const output = args.find((arg) => arg.startsWith('--output='))?.slice('--output='.length)
      if (output === undefined || text === undefined) return undefined
      writeFileSync(output, text)
      return ''
    }
    if (command === 'rev-parse')
      return args
        .slice(1)
        .map((arg) => `${arg.slice(0, 40)}\n`)
        .join('')
    if (command === 'verify-pack') {
      asked.push(`verify ${args[1]?.replace(`${own}/`, '')}`)
      return (answers.isPackTrue ?? true) ? '' : undefined
    }
    if (command === 'cat-file') return 'blob' in answers ? answers.blob : 'in'
    if (command === 'log') {
      const tips = readFileSync(join(own, 'packed-refs'), 'utf8').split('\n').filter(Boolean)
      asked.push(`new not ${tips.map((line) => line[0]).join(' ')}`)
      const lines = 'added' in answers ? answers.added : []
      return write(lines?.map((line) => `${line.split(' ').map(oid).join(' ')}\n`).join(''))
    }
    const pairs = input.split('\n').filter(Boolean)
    asked.push(`diff ${pairs.map((line) => `${line[41]}..${line[0]}`).join(' ')}`)
    const lines = pairs.map((line) => {
      const paths = answers.differing?.[`${line[41]}..${line[0]}`] ?? []
      return `${line.slice(0, 40)}\0${paths.map(([path, mode]) => `:000000 ${mode} ${oid('0')} ${oid('e')} A\0${path}\0`).join('')}`
    })
    return write(lines.join(''))
  }
}
