import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type OwnGitOptions, openOwnGit } from '../../../src/git/own/openOwnGit.ts'
import { createGitRunner } from '../../../src/git/own/ownGit.ts'
import { makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { gitAt } from '../../helpers/git.ts'

/** A history of two commits, where the second one removes a file and adds two; and a tag of the second. */
function makeHistory(format: 'sha1' | 'sha256') {
  const top = makeFiles({ a: 'a' })
  const git = gitAt(top)
  git('init', '-q', `--object-format=${format}`)
  git('add', '-A')
  git('commit', '-qm', 'first')
  rmSync(join(top, 'a'))
  writeFiles(top, { b: 'b text\n', 'c d': 'c d text\n' })
  git('add', '-A')
  git('commit', '-qm', 'second')
  git('tag', '-a', 'v1', '-m', 'x')
  git('repack', '-q')
  const [first = '', second = '', tag = '', b = '', c = ''] = git(
    ...['rev-parse', 'HEAD~1', 'HEAD', 'v1', 'HEAD:b', 'HEAD:c d'],
  ).split('\n')
  return { top, first, second, tag, b, c, oidBytes: format === 'sha1' ? 20 : 32 } as const
}

const histories = [makeHistory('sha1'), makeHistory('sha256')]

const runGit = createGitRunner(process.env['PATH'] ?? '')

function open(at: number, options: Partial<OwnGitOptions> = {}) {
  const history = histories[at]
  if (history === undefined) throw new Error('no such history')
  const folder = join(makeFiles(), 'own')
  const objects = join(history.top, '.git/objects')
  const { oidBytes } = history
  const git = openOwnGit({ folder, objects, oidBytes, added: new Map(), shallow: '', runGit, ...options })
  return { ...history, folder, git, gone: '1'.repeat(2 * oidBytes) }
}

describe.each([
  ['SHA-1', 0],
  ['SHA-256', 1],
])('a git directory of our own, with the objects of a %s repository', (_, at) => {
  it('tells which commits names stand for, or nothing if one stands for none', async () => {
    const { git, first, second, tag, b, gone } = open(at)
    expect(await git.commits([tag, first])).toEqual([second, first])
    expect([await git.commits([first, b]), await git.commits([gone])]).toEqual([undefined, undefined])
  })

  it('tells the commits that are new, each with its first parent', async () => {
    const { git, first, second, gone } = open(at)
    const both = [
      { commit: second, parent: first },
      { commit: first, parent: undefined },
    ]
    expect(await git.newCommits([second], [])).toEqual(both)
    expect(await git.newCommits([second], [first])).toEqual([both[0]])
    expect(await git.newCommits([second], [second, first])).toEqual([])
    expect(await git.newCommits([gone], [first])).toBeUndefined()
  })

  it('ends the history where the repository does', async () => {
    const shallow = `${histories[at]?.second}\n`
    const { git, second } = open(at, { shallow })
    expect(await git.newCommits([second], [])).toEqual([{ commit: second, parent: undefined }])
  })

  it('tells which paths differ, pair by pair, and all of them without a base', async () => {
    const { git, first, second, b, c, gone } = open(at)
    const added = [
      { path: 'b', mode: '100644', oid: b },
      { path: 'c d', mode: '100644', oid: c },
    ]
    const nothing = '0'.repeat(gone.length)
    const pairs = [
      { commit: second, base: first },
      { commit: first, base: first },
      { commit: second, base: undefined },
    ]
    expect(await git.differences(pairs)).toEqual([[{ path: 'a', mode: '000000', oid: nothing }, ...added], [], added])
    expect(await git.differences([{ commit: gone, base: first }])).toBeUndefined()
  })

  it('reads blobs, also such as the command has made', async () => {
    const { git, b, gone, top } = open(at)
    expect([await git.blob(b), await git.blob(gone)]).toEqual(['b text\n', undefined])
    const name = `objects/${b.slice(0, 2)}/${b.slice(2)}`
    const added = new Map([[name, readFileSync(join(top, '.git', name))]])
    expect(await open(at, { added, objects: join(top, 'none') }).git.blob(b)).toBe('b text\n')
    expect(await open(at, { objects: join(top, 'none') }).git.blob(b)).toBeUndefined()
  })

  it('finds a pack true that git made, and false what is none', async () => {
    const { git, folder, top } = open(at)
    const packs = join(top, '.git/objects/pack')
    const name = readdirSync(packs).find((each) => each.endsWith('.idx')) ?? ''
    expect(await git.isTruePack(join(packs, name))).toBe(true)
    writeFileSync(join(folder, 'x.idx'), 'x')
    expect(await git.isTruePack(join(folder, 'x.idx'))).toBe(false)
  })
})

describe('a git directory of our own', () => {
  it('is made anew each time', () => {
    const { folder } = open(0)
    writeFileSync(join(folder, 'left'), '')
    open(0, { folder })
    expect(existsSync(join(folder, 'left'))).toBe(false)
  })

  it('lets git read no settings, attributes or replaced objects of anybody', async () => {
    const seen: Readonly<Record<string, string | undefined>>[] = []
    const { git, folder } = open(0, {
      runGit: async (_args, environment) => {
        seen.push(environment)
        return ''
      },
    })
    await git.blob('x')
    expect(seen).toEqual([
      {
        GIT_DIR: folder,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_COUNT: '0',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_NO_REPLACE_OBJECTS: '1',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
        LC_ALL: 'C',
      },
    ])
    expect(readFileSync(join(folder, 'config'), 'utf8')).toContain('commitGraph = false\n\tmultiPackIndex = false')
  })

  it('does not take fewer answers than questions', async () => {
    const { git } = open(0, { runGit: async () => '' })
    expect(await git.differences([{ commit: 'a', base: 'b' }])).toBeUndefined()
  })
})
