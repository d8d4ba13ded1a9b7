import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import type { ToolUseContext } from '../../src/Tool.ts'
import { EnterWorktreeTool } from '../../src/tools/EnterWorktreeTool/EnterWorktreeTool.ts'
import { ExitWorktreeTool } from '../../src/tools/ExitWorktreeTool/ExitWorktreeTool.ts'
import { commitAll, gitAt } from '../helpers/git.ts'
import { createTestCommands, createToolContext, runTool } from '../helpers/tools/toolContext.ts'

/** A project with one commit; `at` is the context of a call that is made in that folder. */
function createProject() {
  const context = createToolContext({ commands: createTestCommands({ HOME: '/nonexistent' }) })
  const root = context.cwd
  writeFileSync(join(root, 'a.txt'), 'one\n')
  mkdirSync(join(root, 'sub'))
  writeFileSync(join(root, 'sub', 'b.txt'), 'two\n')
  commitAll(root)
  const moves: string[] = []
  const setCwd = async (path: string) => void moves.push(path)
  const at = (cwd: string): ToolUseContext => {
    const files = createFileAccess({ roots: [cwd], forbidden: [] })
    return { ...context, cwd, workingDirectories: [cwd], files, setCwd }
  }
  return { root, at, moves, artifacts: context.artifacts, base: context.base }
}

describe('a worktree', () => {
  it('keeps the project unchanged, and returns its changes as a patch that applies', async () => {
    const { root, at, moves, artifacts } = createProject()
    const entered = await runTool<{ worktreePath: string }>(EnterWorktreeTool, { name: 'try' }, at(root))
    const worktree = join(root, '.kode-worktrees', 'try')
    expect(moves).toEqual([worktree])
    expect(entered.data?.worktreePath).toBe(worktree)
    expect(gitAt(root)('status', '--porcelain')).toBe('')

    writeFileSync(join(worktree, 'a.txt'), 'changed\n')
    writeFileSync(join(worktree, 'new é.bin'), Buffer.from([0, 1, 2, 255]))
    gitAt(worktree)('commit', '-qam', 'inside')
    const left = await runTool<{ patch: string | null }>(ExitWorktreeTool, {}, at(worktree))

    expect(moves).toEqual([worktree, root])
    expect(left.data?.patch).toBe(join(artifacts, 'worktree-try.patch'))
    expect(existsSync(join(root, '.kode-worktrees'))).toBe(false)
    expect(gitAt(root)('worktree', 'list').split('\n')).toHaveLength(1)
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n')
    gitAt(root)('apply', join(artifacts, 'worktree-try.patch'))
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('changed\n')
    expect([...readFileSync(join(root, 'new é.bin'))]).toEqual([0, 1, 2, 255])
    expect(readdirSync(root).sort()).toEqual(['.git', 'a.txt', 'new é.bin', 'sub'])
  })

  it('leaves no patch if nothing changed or if it is discarded', { tags: 'long' }, async () => {
    const { root, at, artifacts } = createProject()
    const worktree = join(root, '.kode-worktrees', 'work')
    await runTool(EnterWorktreeTool, {}, at(root))
    expect((await runTool(ExitWorktreeTool, {}, at(worktree))).text).toContain('No changes were kept.')
    await runTool(EnterWorktreeTool, {}, at(root))
    writeFileSync(join(worktree, 'a.txt'), 'changed\n')
    await runTool(ExitWorktreeTool, { discard_changes: true }, at(worktree))
    expect(readdirSync(artifacts)).toEqual([])
    expect(existsSync(worktree)).toBe(false)
  })

  it('runs no hook of the repository', { tags: 'long' }, async () => {
    const { root, at, base } = createProject()
    const hook = join(root, '.git', 'hooks', 'post-checkout')
    mkdirSync(join(root, '.git', 'hooks'), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\ntouch ${join(base, 'ran')}\n`)
    chmodSync(hook, 0o755)
    expect((await runTool(EnterWorktreeTool, {}, at(root))).isError).toBe(false)
    expect(existsSync(join(base, 'ran'))).toBe(false)
  })

  it('is neither entered nor left while an agent works in the background', async () => {
    const { root, at } = createProject()
    const busy = (cwd: string) => ({ ...at(cwd), agentsAtWork: () => ['agent_1'] })
    const entered = await runTool(EnterWorktreeTool, {}, busy(root))
    expect([entered.step, entered.text]).toEqual([
      'validate',
      'Agents still work in the background; wait for their answers.',
    ])
    await runTool(EnterWorktreeTool, {}, at(root))
    const left = await runTool(ExitWorktreeTool, {}, busy(join(root, '.kode-worktrees', 'work')))
    expect(left.text).toBe(entered.text)
  })

  it('is entered and left only by the run that made it', { tags: 'long' }, async () => {
    const { root, at, artifacts } = createProject()
    const worktree = join(root, '.kode-worktrees', 'work')
    expect((await runTool(ExitWorktreeTool, {}, at(root))).step).toBe('validate')
    await runTool(EnterWorktreeTool, {}, at(root))
    expect((await runTool(EnterWorktreeTool, { name: 'more' }, at(worktree))).step).toBe('validate')
    expect((await runTool(ExitWorktreeTool, {}, { ...at(worktree), artifacts: '/other' })).step).toBe('validate')
    expect((await runTool(ExitWorktreeTool, {}, { ...at(worktree), agentId: 'agent-1' })).step).toBe('validate')
    expect((await runTool(EnterWorktreeTool, {}, { ...at(root), agentId: 'agent-1' })).step).toBe('validate')
    expect(existsSync(worktree)).toBe(true)
    expect(readdirSync(artifacts)).toEqual([])
  })

  it('needs a repository with a commit, at its top, and a plain name', async () => {
    const { root, at, base, moves } = createProject()
    const plain = join(base, 'plain')
    mkdirSync(plain)
    expect((await runTool(EnterWorktreeTool, {}, at(plain))).text).toContain('not a git repository')
    expect(readdirSync(plain)).toEqual([])
    gitAt(plain)('init', '-q')
    expect((await runTool(EnterWorktreeTool, {}, at(plain))).isError).toBe(true)
    expect((await runTool(EnterWorktreeTool, {}, at(join(root, 'sub')))).text).toContain('not the top folder')
    expect(readdirSync(join(root, 'sub'))).toEqual(['b.txt'])
    for (const name of ['../x', '-b', '', 'a b']) {
      expect((await runTool(EnterWorktreeTool, { name }, at(root))).step).toBe('schema')
    }
    expect(moves).toEqual([])
  })
})
