import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import type { Tool, ToolInput, ToolUseContext } from '../../src/Tool.ts'
import { EnterWorktreeTool } from '../../src/tools/EnterWorktreeTool/EnterWorktreeTool.ts'
import { ExitWorktreeTool } from '../../src/tools/ExitWorktreeTool/ExitWorktreeTool.ts'
import { commitAll, gitAt } from '../helpers/git.ts'
import { createTestCommands, createToolContext, runTool } from '../helpers/tools/toolContext.ts'

/** A project with one commit, and calls that are made in a folder of it, `try` being the worktree. */
function createProject() {
  const context = createToolContext({ commands: createTestCommands({ HOME: '/nonexistent' }) })
  const { at, put, artifacts } = context
  put({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' })
  commitAll(context.cwd)
  const moves: string[] = []
  const setCwd = async (path: string) => void moves.push(path)
  const run = (tool: Tool, folder: string, input: ToolInput, parts: Partial<ToolUseContext>) => {
    const cwd = at(folder)
    const files = createFileAccess({ roots: [cwd], forbidden: [] })
    return runTool(tool, input, { ...context, cwd, workingDirectories: [cwd], files, setCwd, ...parts })
  }
  return {
    ...{ at, put, moves, artifacts, git: gitAt(context.cwd), worktree: at('.kode-worktrees/try') },
    enter: (folder = '', input: ToolInput = { name: 'try' }, parts = {}) =>
      run(EnterWorktreeTool, folder, input, parts),
    leave: (folder = WORKTREE, input: ToolInput = {}, parts = {}) => run(ExitWorktreeTool, folder, input, parts),
  }
}
const WORKTREE = '.kode-worktrees/try'

describe('a worktree', () => {
  it('keeps the project unchanged, and returns its changes as a patch that applies', async () => {
    const { at, put, enter, leave, git, worktree, moves, artifacts } = createProject()
    const entered = await enter()
    expect(moves).toEqual([worktree])
    expect(entered.data?.worktreePath).toBe(worktree)
    expect(git('status', '--porcelain')).toBe('')

    put({ [`${WORKTREE}/a.txt`]: 'changed\n', [`${WORKTREE}/new é.bin`]: Buffer.from([0, 1, 2, 255]) })
    gitAt(worktree)('commit', '-qam', 'inside')
    const left = await leave()

    expect(moves).toEqual([worktree, at('.')])
    expect(left.data?.patch).toBe(join(artifacts, 'worktree-try.patch'))
    expect(existsSync(at('.kode-worktrees'))).toBe(false)
    expect(git('worktree', 'list').split('\n')).toHaveLength(1)
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\n')
    git('apply', join(artifacts, 'worktree-try.patch'))
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('changed\n')
    expect([...readFileSync(at('new é.bin'))]).toEqual([0, 1, 2, 255])
    expect(readdirSync(at('.')).sort()).toEqual(['.git', 'a.txt', 'new é.bin', 'sub'])
  })

  it('leaves no patch if nothing changed or if it is discarded', { tags: 'long' }, async () => {
    const { put, enter, leave, worktree, artifacts } = createProject()
    await enter()
    expect((await leave()).text).toContain('No changes were kept.')
    await enter()
    put({ [`${WORKTREE}/a.txt`]: 'changed\n' })
    await leave(WORKTREE, { discard_changes: true })
    expect(readdirSync(artifacts)).toEqual([])
    expect(existsSync(worktree)).toBe(false)
  })

  it('runs no hook of the repository', { tags: 'long' }, async () => {
    const { at, put, enter } = createProject()
    put({ '.git/hooks/post-checkout': `#!/bin/sh\ntouch ${at('../ran')}\n` })
    chmodSync(at('.git/hooks/post-checkout'), 0o755)
    expect((await enter()).isError).toBe(false)
    expect(existsSync(at('../ran'))).toBe(false)
  })

  it('is neither entered nor left while an agent works in the background', async () => {
    const { enter, leave } = createProject()
    const busy = { agentsAtWork: () => ['agent_1'] }
    const text = 'Agents still work in the background; wait for their answers.'
    expect(await enter('', {}, busy)).toMatchObject({ step: 'validate', text })
    await enter('', {})
    expect((await leave('.kode-worktrees/work', {}, busy)).text).toBe(text)
  })

  it('is entered and left only by the run that made it', { tags: 'long' }, async () => {
    const { enter, leave, worktree, artifacts } = createProject()
    const isRefused = async (call: ReturnType<typeof leave>) => expect((await call).step).toBe('validate')
    await isRefused(leave(''))
    await enter()
    await isRefused(enter(WORKTREE, { name: 'more' }))
    await isRefused(leave(WORKTREE, {}, { artifacts: '/other' }))
    await isRefused(leave(WORKTREE, {}, { agentId: 'agent-1' }))
    await isRefused(enter('', {}, { agentId: 'agent-1' }))
    expect(existsSync(worktree)).toBe(true)
    expect(readdirSync(artifacts)).toEqual([])
  })

  it('needs a repository with a commit, at its top, and a plain name', async () => {
    const { at, put, enter, moves } = createProject()
    put({ '../plain/': '' })
    expect((await enter('../plain')).text).toContain('not a git repository')
    expect(readdirSync(at('../plain'))).toEqual([])
    gitAt(at('../plain'))('init', '-q')
    expect((await enter('../plain')).isError).toBe(true)
    expect((await enter('sub')).text).toContain('not the top folder')
    expect(readdirSync(at('sub'))).toEqual(['b.txt'])
    for (const name of ['../x', '-b', '', 'a b']) expect((await enter('', { name })).step).toBe('schema')
    expect(moves).toEqual([])
  })
})
