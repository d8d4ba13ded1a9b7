import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { describeModes } from '../../helpers/bubblewrap.ts'
import { commitAll } from '../../helpers/git.ts'
import { bash, type PlayedCall, playRun } from '../../helpers/runs/playRun.ts'

const STUB = readFileSync(join(import.meta.dirname, '../../helpers/stubMcp.mjs'), 'utf8')
const FILESYSTEM = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
const WORK = '.kode-worktrees/work'
const enter: PlayedCall = { name: 'EnterWorktree', input: {} }

/** A run in a repository, with one server and the rule `Edit(src/**)`. */
function play(calls: readonly PlayedCall[], mode: string, server: object) {
  return playRun(calls, {
    policy: {
      sandbox: { mode },
      permissions: { allow: ['mcp__w', 'EnterWorktree', 'ExitWorktree', 'Bash(echo *)', 'Edit(src/**)'] },
      mcpServers: { w: server },
    },
    files: { 'server.mjs': STUB, 'src/a': 'a\n', '.gitignore': 'ignored\n' },
    prepare: commitAll,
  })
}

describeModes('in a worktree', (mode) => {
  it('the changes of a server are judged as in the worktree', { tags: 'long' }, async () => {
    const stub = { command: process.execPath, args: ['server.mjs', 'write'] }
    const write = (script: string) => ({ name: 'mcp__w__write', input: { script } })
    const make = 'echo x > src/new; echo x > other; echo x > ignored'
    const find = write('find . -name new -o -name other -o -name ignored | sort')
    const run = await play([enter, write(`${make}; cd ${WORK}; ${make}; echo b > src/a`), find], mode, stub)
    expect(run.told[2]).toBe(`ran ./${WORK}/ignored\n./${WORK}/src/new\n./ignored\n`)
    const said = JSON.stringify(run.api.requests.at(-1)?.body.messages)
    expect(said).toMatch(/Put back what an MCP server changed: .*other \(new\).*no Edit rule covers it/)
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
    expect(run.code, run.stderr).toBe(0)
    const [patch = ''] = /\S+\.patch/.exec(run.stderr) ?? []
    const diffs = ['a', 'new'].map((name) => `diff --git a/src/${name} b/src/${name}`)
    expect(readFileSync(patch, 'utf8').match(/^diff .*/gm)).toEqual(diffs)
  })

  it('those of a command, too', { tags: 'long' }, async () => {
    const stub = { command: process.execPath, args: ['server.mjs', 'write'] }
    const find = { name: 'mcp__w__write', input: { script: 'find . -name new -o -name other' } }
    const run = await play([enter, bash('echo x > src/new; echo x > other'), find], mode, stub)
    expect(run.told[2]).toBe(`ran ./${WORK}/src/new\n`)
  })

  it('a server with roots follows EnterWorktree and ExitWorktree', { tags: 'long' }, async () => {
    const server = { command: process.execPath, args: [FILESYSTEM], roots: true }
    const allowed = { name: 'mcp__w__list_allowed_directories', input: {} }
    const write = (path: string) => ({ name: 'mcp__w__write_file', input: { path, content: 'x' } })
    const calls = [allowed, enter, allowed, write('src/new'), write('other'), write('../../src/new')]
    const run = await play([...calls, { name: 'ExitWorktree', input: {} }, allowed], mode, server)
    const [before, , inside, kept, , outside, , after] = run.told
    expect(inside).toMatch(new RegExp(`${run.project}/${WORK}$`))
    for (const text of [before, after]) expect(text).toMatch(new RegExp(`${run.project}$`))
    expect(kept).toMatch(/^Successfully wrote/)
    expect(outside).toMatch(/outside allowed directories/)
    const patch = /kept for the user as (\S+)/.exec(run.told[6] ?? '')?.[1] ?? ''
    const folder = run.transcript.replace(/[^/]*$/, '')
    const found = execFileSync('find', [folder, '-name', patch], { encoding: 'utf8' }).trim()
    expect(readFileSync(found, 'utf8').match(/^diff .*/gm)).toEqual(['diff --git a/src/new b/src/new'])
    expect(run.code, run.stderr).toBe(0)
  })
})
