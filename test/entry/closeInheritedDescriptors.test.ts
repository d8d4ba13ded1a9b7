import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../helpers/makeFolder.ts'
import { bash, type PlayOptions, playRun } from '../helpers/runs/playRun.ts'
import { sampled } from '../helpers/sampled.ts'

/** A run that bash starts so, and which starts a command itself. */
function startedBy(
  start: string,
  command?: string,
  { mode = 'off', ...options }: PlayOptions & { mode?: string } = {},
) {
  const policy = { permissions: { allow: ['Bash'] }, sandbox: { mode } }
  return playRun(command === undefined ? [] : [bash(command)], {
    ...{ through: ['bash', '-c', start, 'bash'], policy, ...options },
  })
}

describe.skipIf(process.platform !== 'linux')('descriptors that the run was started with (needs Linux)', () => {
  const tags = 'long'

  it.each(sampled(['off', 'auto'], 1))('do not reach what it runs, with sandbox.mode: %s', { tags }, async (mode) => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'secret'), 'S3CRET\n')
    const start = `exec "$@" 200<${folder}/secret 201>>${folder}/out 202>${folder}/out`
    const command = 'cat <&200; echo leaked >&201; echo leaked >&202; echo end'
    const { code, records, stderr } = await startedBy(start, command, { mode })
    expect(code).toBe(0)
    expect(JSON.stringify(records)).toMatch(/200: Bad file descriptor/)
    expect(JSON.stringify(records)).not.toContain('S3CRET')
    expect(existsSync(join(folder, 'out')) && readFileSync(join(folder, 'out'), 'utf8')).toBe('')
    expect(stderr).not.toContain('holds a lock')
  })

  it('stay open if they hold a lock, with a warning', { tags }, async () => {
    const { code, stderr } = await startedBy(`exec 200>${makeFolder()}/lock; flock 200; exec "$@"`)
    expect([code, stderr.includes('descriptor 200 holds a lock')]).toEqual([0, true])
  })

  it('are read to their end by --prompt-file <(command), and reach no child', { tags }, async () => {
    const start = 'exec "$@" --prompt-file <(echo Mend; sleep 0.2; echo this.)'
    const { code, records, stderr, toolResults } = await startedBy(start, 'ls /proc/self/fd; cat <&63', {
      prompt: null,
    })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('regular file')])
    expect(records[0]).toMatchObject({ prompt: expect.stringMatching(/^Mend\nthis\.\n?$/) })
    expect(toolResults()[0]).toContain('63: Bad file descriptor')
  })
})
