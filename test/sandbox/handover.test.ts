import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HANDOVER_VARIABLE, readHandover, withoutSecrets, writeHandover } from '../../src/sandbox/handover.ts'

const KEY = 'sk-ant-api03-CANARY-0123456789abcdef'

describe('handover', () => {
  const environment = {
    ANTHROPIC_API_KEY: KEY,
    COPY: `Bearer ${KEY}`,
    DATABASE_URL: 'postgres://user:CANARY-pass@db/x',
    INPUT_PROMPT: 'any input of a step',
    ACTIONS_RUNTIME_URL: 'https://runner.example',
    PATH: '/bin',
    NONE: undefined,
  }

  it('leaves the environment in a file of this user, and shows none of its secrets', () => {
    const left = writeHandover(environment)
    const file = left[HANDOVER_VARIABLE] ?? ''
    expect(left).toEqual({ PATH: '/bin', [HANDOVER_VARIABLE]: file })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    expect(readFileSync(file, 'utf8')).toContain(KEY)
    expect(readHandover(file)).toEqual(JSON.parse(JSON.stringify(environment)))
    expect(existsSync(dirname(file))).toBe(false)
  })

  it('accepts only files that it wrote', () => {
    const folder = mkdtempSync(join(tmpdir(), 'handover-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'environment')
    writeFileSync(file, '{}')
    expect(() => readHandover(file)).toThrow('no handover of ours')
    expect(existsSync(file)).toBe(true)
  })

  it('keeps variables that are not secret', () => {
    expect(withoutSecrets({ HOME: '/h', GITHUB_SHA: 'a'.repeat(40), CI: 'true' })).toEqual({
      HOME: '/h',
      GITHUB_SHA: 'a'.repeat(40),
      CI: 'true',
    })
  })
})
