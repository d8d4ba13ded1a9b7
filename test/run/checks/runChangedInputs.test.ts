import { describe, expect, it } from 'vitest'
import { changedCheckInputs, runChangedInputs } from '../../../src/run/checks/runChangedInputs.ts'
import type { Session } from '../../../src/run/Session.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

it('a worktree that cannot be compared is no defect, and not green', async () => {
  const account = { report: async () => ({ changes: [] }) }
  const session = { config: { cwd: '/p' }, place: { cwd: makeFolder() }, transactions: { account }, children: {} }
  const signal = new AbortController().signal
  const run = runChangedInputs({ ...session, signal } as unknown as Session)
  await expect(run).rejects.toMatchObject({ reason: 'changes_unknown' })
})

it('a protected file may be in no commit that can be pushed, whatever the work tree has', async () => {
  const files = ['in/t/a', 'in/package.json', 't/a']
  const names = ['HEAD', 'refs/heads/a', 'refs/tags/b', 'sub:refs/heads/c', 'refs/stash', 'refs/notes/d']
  const refs = { changes: async () => names.map((name) => ({ name, files })) }
  const account = { report: async () => ({ changes: [{ path: 'in/t/b' }] }) }
  const found = (protect: string[]) =>
    runChangedInputs({
      ...{
        config: { cwd: '/p/in' },
        place: { cwd: '/p/in' },
        checkout: { top: '/p' },
        transactions: { account, refs },
      },
      ...{
        policy: { settings: { checks: { commands: ['npm test'], protect } } },
        signal: new AbortController().signal,
      },
    } as unknown as Session)
  const moved = ['HEAD', 'refs/heads/a', 'refs/tags/b', 'sub:refs/heads/c']
  expect((await found(['t/**'])).closed).toEqual(['t/b', ...moved.map((name) => `t/a in ${name}`)])
  expect((await found([])).closed).toEqual([])
})

describe('changedCheckInputs', () => {
  const rows: readonly [string, string[], string[], string[], string[]][] = [
    ['a script of npm', ['npm test'], [], ['src/a.ts', 'package.json'], ['package.json']],
    ['a file that the command names', ['./ci/check.sh --all'], [], ['ci/check.sh', 'ci/other.sh'], ['ci/check.sh']],
    ['the second command of a line', ['cd x && make lint'], [], ['Makefile'], ['Makefile']],
    [
      'what the policy protects: a folder',
      ['npm test'],
      ['test/'],
      ['test/a.test.ts', 'src/test.ts'],
      ['test/a.test.ts'],
    ],
    ['what the policy protects: a glob', ['npm test'], ['**/*.snap'], ['a/b.snap'], ['a/b.snap']],
    ['a file named after an equals sign or in quotes', ['x --config="./ci/a.json"'], [], ['ci/a.json'], ['ci/a.json']],
    ['a file behind several signs', ['x && (y;"z.sh")'], [], ['z.sh'], ['z.sh']],
    ['a file with a dot inside', ['x a./b'], [], ['a./b', 'ab', 'a.b'], ['a./b']],
    ['a folder with the name of a program', ['x npm/test'], [], ['package.json', 'npm/test'], ['npm/test']],
    ['a program by its path', ['./node_modules/.bin/npm test'], [], ['package.json'], ['package.json']],
    ['what the policy protects: with a dot, one file', ['x'], ['./a/b.txt'], ['a/b.txt', 'a/b.txt.bak'], ['a/b.txt']],
    ['what the policy protects: a dot inside', ['x'], ['a./b'], ['a./b', 'ab'], ['a./b']],
    ['what the policy protects: a name with brackets', ['x'], ['a[1].txt'], ['a[1].txt'], ['a[1].txt']],
    ['what the policy protects: from the top', ['x'], ['/a'], ['a/b', 'ab', 'x/a'], ['a/b']],
    ['what no command names', ['x./y a.b/c'], [], ['y', 'b/c'], []],
    ['nothing of it', ['npm test'], ['test/'], ['src/a.ts'], []],
  ]
  it('a file that a rule names exactly may change, except those of `checks.protect`', () => {
    const isNamed = (path: string) => path === 'package.json' || path === 'test/a.ts'
    const checks = { commands: ['npm test'], protect: ['test/'] }
    expect(changedCheckInputs(checks, ['package.json', 'test/a.ts', '.npmrc', 'src/b.ts'], isNamed)).toEqual({
      closed: ['test/a.ts'],
      inputs: ['.npmrc'],
      named: ['package.json'],
    })
  })

  for (const [name, commands, protect, paths, expected] of rows) {
    it(name, () => {
      const kind = protect.length === 0 ? 'inputs' : 'closed'
      const found = { closed: [], inputs: [], named: [], [kind]: expected }
      expect(changedCheckInputs({ commands, protect }, paths)).toEqual(found)
    })
  }
})
