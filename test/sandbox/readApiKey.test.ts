import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import { findKeyHolders, keyWarning } from '../../src/sandbox/findKeyHolders.ts'
import { type ApiKeySources, readApiKey } from '../../src/sandbox/readApiKey.ts'

const KEY = 'sk-ant-api03-CANARY'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-key-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(text: string): string {
  const path = join(folder, `key-${Math.random()}`)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

describe('readApiKey', () => {
  it('reads a file, a descriptor and a variable, without the space around the key', () => {
    expect(readApiKey({ file: fileWith(`  ${KEY}\n`) })).toEqual(KEY)
    const descriptor = openSync(fileWith(`${KEY}\r\n`), 'r')
    expect(readApiKey({ descriptor })).toEqual(KEY)
    expect(() => readApiKey({ descriptor })).toThrow(RunError)
    const variable = { name: 'ANTHROPIC_API_KEY', value: `${KEY} ` }
    expect(readApiKey({ variable })).toEqual(KEY)
  })

  it('takes the descriptor before the file before the variable', () => {
    const variable = { name: 'X', value: 'third' }
    const file = fileWith('second')
    expect(readApiKey({ descriptor: openSync(fileWith('first'), 'r'), file, variable })).toBe('first')
    expect(readApiKey({ file, variable })).toBe('second')
  })

  it('knows no key where none is given', () => {
    expect(readApiKey({})).toBeUndefined()
    expect(readApiKey({ variable: { name: 'X', value: ' ' } })).toBeUndefined()
  })

  it.each<[string, () => ApiKeySources, RegExp]>([
    ['an empty file', () => ({ file: fileWith(' \n') }), /empty/],
    ['a huge file', () => ({ file: fileWith('x'.repeat(100_000)) }), /longer/],
    ['a key of two lines', () => ({ file: fileWith(`${KEY}\nCANARY`) }), /white space/],
    ['a key that is no text', () => ({ variable: { name: 'X', value: 'CANARY\u0007' } }), /other characters/],
    ['a missing file', () => ({ file: join(folder, 'missing') }), /cannot be opened: .*missing/],
    ['a folder', () => ({ file: folder }), /neither a file nor a pipe/],
    ['a device', () => ({ file: '/dev/zero' }), /neither a file nor a pipe/],
    ['a closed descriptor', () => ({ descriptor: 999 }), /descriptor 999: EBADF/],
  ])('refuses %s, and does not show it', (_what, sources, message) => {
    const failure = (() => {
      try {
        return readApiKey(sources())
      } catch (error) {
        return error
      }
    })() as RunError
    expect(failure).toMatchObject({ reason: 'auth', message: expect.stringMatching(message) })
    expect(failure.message).not.toContain('CANARY')
  })

  it('reads a pipe to its end', () => {
    const script = `import { readApiKey } from ${JSON.stringify(join(process.cwd(), 'src/sandbox/readApiKey.ts'))}
      console.log(readApiKey({ descriptor: 3 }))`
    const command = `exec 3< <(printf sk-; sleep 0.1; printf 'rest\\n'); exec "$0" --import tsx --input-type=module -e "$1"`
    const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: 'sk-rest\n', stderr: '' })
  })
})

describe.runIf(process.platform === 'linux')('findKeyHolders', () => {
  it('finds the processes above that were started with the key, although it was deleted', () => {
    const script = `import { findKeyHolders, keyWarning } from ${JSON.stringify(join(process.cwd(), 'src/sandbox/findKeyHolders.ts'))}
      delete process.env.MY_KEY
      const holders = findKeyHolders('${KEY}-holder')
      console.log(JSON.stringify([process.pid, process.ppid, holders, keyWarning(holders, false)]))`
    const env = { ...process.env, MY_KEY: `${KEY}-holder` }
    const args = ['-c', '"$0" --import tsx --input-type=module -e "$1"; true', process.execPath, script]
    const { stdout } = spawnSync('bash', args, { encoding: 'utf8', env })
    const [pid, parent, holders, warning] = JSON.parse(stdout)
    expect(holders).toEqual([
      { pid, command: expect.any(String) },
      { pid: parent, command: 'bash' },
    ])
    expect(warning).toEqual([expect.stringContaining(`${parent} (bash)`)])
    expect(stdout).not.toContain(KEY)
  })

  it('says nothing where nothing remains, or the sandbox hides it', () => {
    expect(findKeyHolders('no environment holds this text')).toEqual([])
    expect(keyWarning([], false)).toEqual([])
    expect(keyWarning([{ pid: 1, command: 'bash' }], true)).toEqual([])
  })
})
