import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PowerShellTool } from '../../src/tools/PowerShellTool/PowerShellTool.ts'
import { createTestCommands, createToolContext, runTool } from '../helpers/tools/toolContext.ts'

/** A program named `pwsh` that shows its arguments: what is tested is how PowerShell is called. */
function contextWithStub(script: string) {
  const context = createToolContext()
  const bin = join(context.base, 'bin')
  context.put({ '../bin/pwsh': `#!/bin/sh\n${script}\n` })
  chmodSync(join(bin, 'pwsh'), 0o755)
  return { ...context, commands: createTestCommands({ PATH: `${bin}:/usr/bin:/bin` }) }
}

describe('PowerShell', () => {
  it('runs pwsh without profile and prompts, in the project root', async () => {
    const context = contextWithStub('pwd; for word in "$@"; do echo "<$word>"; done; exit 4')
    const { text, isError } = await runTool(PowerShellTool, { command: 'Get-ChildItem "a b"; $x' }, context)
    expect(text).toBe(
      `${context.cwd}\n<-NoLogo>\n<-NoProfile>\n<-NonInteractive>\n<-Command>\n<Get-ChildItem "a b"; $x>\nExit code 4`,
    )
    expect(isError).toBe(true)
  })

  it('says so if pwsh is missing', async () => {
    const context = createToolContext()
    const commands = createTestCommands({ PATH: join(context.base, 'none') })
    const { text, isError } = await runTool(PowerShellTool, { command: 'x' }, { ...context, commands })
    expect(text).toMatch(/could not be started: .*pwsh/)
    expect(isError).toBe(true)
  })

  it('is offered only if a rule names it, and never analyzed', () => {
    expect(PowerShellTool.isOptIn).toBe(true)
    expect(PowerShellTool.subjects({ command: 'ls' }, createToolContext()).map((subject) => subject.kind)).toEqual([
      'name',
      'opaque',
    ])
  })
})
