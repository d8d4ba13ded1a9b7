import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyRefs, findRepository, gitEnvironment, readBranch, readHead } from '../../../src/git/own/ownGit.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const OID = 'a'.repeat(40)
const OTHER = 'b'.repeat(40)
const PACKED = `# x\n${OTHER} refs/heads/a/refs/heads/b\n${OID} refs/heads/b\n`

describe('findRepository', () => {
  it.each<[string, Readonly<Record<string, string>>, string, [string, string] | undefined]>([
    ['its own', { '.git/HEAD': 'x' }, '.', ['.git', '.']],
    ['that of a folder above', { '.git/HEAD': 'x', 'a/b/c': '' }, 'a/b', ['.git', '.']],
    ['not an empty folder of that name', { '.git/HEAD': 'x', 'a/.git/info/exclude': '' }, 'a', ['.git', '.']],
    ['the one that a file names', { '.git': 'gitdir: ../elsewhere \n' }, '.', ['../elsewhere', '.']],
    ['none where the file names none', { '.git/HEAD': 'x', 'a/.git': 'hello\n' }, 'a', undefined],
    ['none', { 'a/b': '' }, 'a', undefined],
  ])('is %s', async (_, files, cwd, expected) => {
    const folder = makeFiles(files)
    const found = findRepository(join(folder, cwd))
    expect(found).toEqual(
      expected && { gitDir: join(folder, expected[0]), top: join(folder, expected[1]).replace(/\/$/, '') },
    )
  })
})

describe('what HEAD is', () => {
  it.each<[string, Readonly<Record<string, string>>, string | null, string]>([
    ['a commit', { HEAD: `${OID}\n` }, OID, 'HEAD'],
    ['a branch', { HEAD: 'ref: refs/heads/a/b\n', 'refs/heads/a/b': `${OID}\n` }, OID, 'a/b'],
    ['a branch that is packed, among others', { HEAD: 'ref: refs/heads/b\n', 'packed-refs': PACKED }, OID, 'b'],
    ['no commit yet', { HEAD: 'ref: refs/heads/main\n' }, null, 'main'],
    ['a ref that is no branch', { HEAD: 'ref: refs/x\n', 'refs/x': OID }, OID, 'HEAD'],
    ['a path out of the refs', { HEAD: 'ref: refs/heads/../../secret\n', secret: OID }, null, '../../secret'],
    ['no ref', { HEAD: 'ref: config\n', config: 'not to be read' }, null, 'HEAD'],
    ['two words', { HEAD: `${OID} ${OID}\n` }, null, 'HEAD'],
    ['not there', {}, null, 'HEAD'],
    ['of a worktree', { HEAD: 'ref: refs/heads/w\n', commondir: 'up\n', 'up/refs/heads/w': OID }, OID, 'w'],
  ])('%s', async (_, files, commit, branch) => {
    const folder = makeFiles(files)
    expect([readHead(folder), readBranch(folder)]).toEqual([commit, branch])
  })

  it('of a worktree that names its repository by an absolute path', async () => {
    const common = makeFiles({ 'refs/heads/w': OID })
    expect(readHead(makeFiles({ HEAD: 'ref: refs/heads/w\n', commondir: `${common}\n` }))).toBe(OID)
  })
})

it('copies refs, also packed ones', async () => {
  const from = makeFiles({ HEAD: 'ref: refs/heads/w\n', 'packed-refs': `${OTHER} refs/tags/v1\n`, 'refs/heads/w': OID })
  const to = makeFiles({ 'packed-refs': '' })
  await copyRefs(to, from)
  expect(readHead(to)).toBe(OID)
  writeFileSync(join(to, 'HEAD'), 'ref: refs/tags/v1\n')
  expect(readHead(to)).toBe(OTHER)
})

it('lets git read settings and files of nobody else', () => {
  expect(gitEnvironment('/own')).toEqual({
    ...{ GIT_DIR: '/own', GIT_WORK_TREE: '/own/none', GIT_INDEX_FILE: '/own/index', LC_ALL: 'C' },
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_COUNT: '0', GIT_ATTR_NOSYSTEM: '1' },
    ...{ GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
  })
})
