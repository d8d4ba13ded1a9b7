import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { BashTool } from '../../src/tools/BashTool/BashTool.ts'
import { rememberReads } from '../../src/tools/BashTool/changedReads.ts'
import { exitMeaning } from '../../src/tools/BashTool/exitMeaning.ts'
import { EditTool } from '../../src/tools/EditTool/EditTool.ts'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { WriteTool } from '../../src/tools/WriteTool/WriteTool.ts'
import { shellContext } from '../helpers/policy/shellContext.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

const bash = (command: string, context = createToolContext()) => runTool(BashTool, { command }, context)

describe('Bash', () => {
  it.each([
    ['sleep 0.2; echo done', true],
    ['ls', true],
    // A message with a wait and a look means the look to come after it.
    ['sleep 20', false],
    ['sleep 1; sleep 2', false],
    ['echo x > file', false],
  ])('%s may run beside other calls: %s', (command, may) => {
    expect(BashTool.isConcurrencySafe({ command }, createToolContext())).toBe(may)
  })

  it('starts in the working directory and reads no start-up file', async () => {
    const context = createToolContext()
    writeFileSync(join(context.home, '.bashrc'), 'echo started')
    const { text } = await bash('pwd; shopt -q login_shell || echo plain; echo $-', context)
    expect(text.split('\n').slice(0, 2)).toEqual([context.cwd, 'plain'])
    expect(text.split('\n')[2]).toContain('p')
  })

  it('runs the text that was judged, not the one that was sent', async () => {
    const context = createToolContext({ canonical: "'echo' 'judged'" })
    expect((await bash('echo sent', context)).text).toBe('judged')
  })

  it('keeps the whole of a long output and shows its head and tail', async () => {
    const { text, data } = await bash('seq 1 20000; seq 1 5000 >&2')
    expect(text.length).toBeLessThan(4500)
    expect(data?.stdout).toMatch(/^1\n2\n/)
    expect(data?.stdout).toMatch(/\n5000\n?$/)
    const path = /the full text is in (\S+): Read parts of it/.exec(data?.stdout ?? '')?.[1] ?? ''
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(25_001)
  })

  it('reports progress lines while the command runs', async () => {
    const { progress } = await bash('echo first; echo second')
    expect(progress.length).toBeGreaterThan(0)
    expect(progress.join('\n')).toMatch(/first|second/)
  })

  it('reports if bash cannot be started', async () => {
    const context = createToolContext({ cwd: '/nowhere-at-all', workingDirectories: ['/nowhere-at-all'] })
    const { text, isError } = await bash('true', context)
    expect(text).toContain('could not be started')
    expect(isError).toBe(true)
  })
})

it('before a command, the contents of the files are kept that the model worked with last', async () => {
  const context = createToolContext()
  const place = (at: number) => context.at(`${at}.txt`)
  const read = (at: number) => runTool(ReadTool, { file_path: place(at) }, context)
  for (let at = 0; at < 30; at++) {
    context.put({ [`${at}.txt`]: `text ${at}\n` })
    await read(at)
  }
  await read(0)
  await runTool(EditTool, { file_path: place(1), old_string: 'text', new_string: 'words' }, context)
  const kept = [...(await rememberReads(context)).keys()]
  expect(kept).toEqual([...Array.from({ length: 18 }, (_, at) => place(at + 12)), place(0), place(1)])
})

it.each([
  [1, 'grep x a', { text: 'no match', isError: false }],
  [1, 'cat a | grep x', { text: 'no match', isError: false }],
  [1, 'diff a b', { text: 'they differ', isError: false }],
  [1, 'git diff --quiet', { text: 'they differ', isError: false }],
  [1, '[ -f x ]', { text: 'the condition is false', isError: false }],
  [127, 'nosuch', { text: 'command not found', isError: true }],
  [137, 'node a.js', { text: 'killed, perhaps because memory ran out', isError: true }],
  // Nothing that is not plain from the code.
  [0, 'grep x', undefined],
  [2, 'grep x missing', undefined],
  [1, 'npm test', undefined],
  [1, 'git diff', undefined],
  [1, 'grep x | echo y', undefined],
  [1, 'toString', undefined],
  [null, 'grep x', undefined],
])('the exit code %j of %s means %j', (code, line, meaning) => {
  expect(exitMeaning(code, analyzeCommand(line, shellContext('/')).subjects)).toEqual(meaning)
})

describe('a report marks as destructive', () => {
  it.each([
    ['rm -rf dist', true],
    ['cd src && git reset --hard', true],
    ['timeout 5 rm a', true],
    ['git checkout -- a.ts', true],
    ['git stash', true],
    ['git branch -D old', true],
    ['git push --force-with-lease', true],
    ['find . -name "*.o" -delete', true],
    ['git checkout -b new', false],
    ['git branch', false],
    ['git push', false],
    ['find . -name "*.o"', false],
    ['echo rm', false],
    ['git status', false],
    ['npm test', false],
  ])('%s: %s', (command, expected) => {
    expect(BashTool.isDestructive({ command })).toBe(expected)
  })

  it('no edit: what it replaces is in the diff', () => {
    expect(EditTool.isDestructive({ file_path: 'a', old_string: 'a', new_string: 'b' })).toBe(false)
    expect(WriteTool.isDestructive({ file_path: 'a', content: 'b' })).toBe(false)
  })
})
