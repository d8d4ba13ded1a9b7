import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandOutput } from '../../src/lib/process/commandOutput.ts'
import { BashTool } from '../../src/tools/BashTool/BashTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

async function bash(command: string, more: Record<string, unknown> = {}) {
  return await runTool<CommandOutput>(BashTool, { command, ...more }, createToolContext())
}

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
    const { text } = await runTool(BashTool, { command: 'pwd; shopt -q login_shell || echo plain; echo $-' }, context)
    expect(text.split('\n').slice(0, 2)).toEqual([context.cwd, 'plain'])
    expect(text.split('\n')[2]).toContain('p')
  })

  it('runs the text that was judged, not the one that was sent', async () => {
    const context = createToolContext({ canonical: "'echo' 'judged'" })
    expect((await runTool(BashTool, { command: 'echo sent' }, context)).text).toBe('judged')
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
    const { text, isError } = await runTool(BashTool, { command: 'true' }, context)
    expect(text).toContain('could not be started')
    expect(isError).toBe(true)
  })
})
