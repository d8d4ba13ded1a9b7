import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import { type ApiKeySources, readApiKey } from '../../../src/sandbox/environment/readApiKey.ts'
import { findKeyHolders, keyWarning } from '../../../src/sandbox/integrity/findKeyHolders.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const KEY = 'sk-ant-api03-CANARY'
const folder = makeFolder('api-key-', afterAll)

function fileWith(text: string): string {
  const path = join(folder, `key-${Math.random()}`)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

describe('readApiKey', () => {
  it('reads a file, a descriptor or a variable, and trims the key', async () => {
    expect(await readApiKey({ file: fileWith(`  ${KEY}\n`) })).toEqual(KEY)
    const descriptor = openSync(fileWith(`${KEY}\r\n`), 'r')
    expect(await readApiKey({ descriptor })).toEqual(KEY)
    await expect(readApiKey({ descriptor })).rejects.toThrow(RunError)
    const variable = { name: 'ANTHROPIC_API_KEY', value: `${KEY} ` }
    expect(await readApiKey({ variable })).toEqual(KEY)
  })

  it('prefers the descriptor to the file to the variable', async () => {
    const variable = { name: 'X', value: 'third' }
    const file = fileWith('second')
    expect(await readApiKey({ descriptor: openSync(fileWith('first'), 'r'), file, variable })).toBe('first')
    expect(await readApiKey({ file, variable })).toBe('second')
  })

  it('has no key if none is given', async () => {
    expect(await readApiKey({})).toBeUndefined()
    expect(await readApiKey({ variable: { name: 'X', value: ' ' } })).toBeUndefined()
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
  ])('refuses %s, and does not show it', async (_what, sources, message) => {
    const failure = await readApiKey(sources()).catch((error: RunError) => error)
    if (!(failure instanceof RunError)) throw new Error('it was taken')
    expect(failure).toMatchObject({ reason: 'auth', message: expect.stringMatching(message) })
    expect(failure.message).not.toContain('CANARY')
  })

  it('reads a pipe to its end', { tags: 'long' }, () => {
    const script = `import { readApiKey } from ${JSON.stringify(join(process.cwd(), 'src/sandbox/environment/readApiKey.ts'))}
      console.log(await readApiKey({ descriptor: 3 }))`
    const command = `exec 3< <(printf sk-; sleep 0.1; printf 'rest\\n'); exec "$0" --import tsx --input-type=module -e "$1"`
    const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: 'sk-rest\n', stderr: '' })
  })
})

describe('a named pipe with a key', () => {
  it('waits only a few seconds for its writer', { tags: 'long', timeout: 20_000 }, async () => {
    const pipe = join(folder, 'pipe')
    spawnSync('mkfifo', [pipe])
    const reading = readApiKey({ file: pipe })
    const writer = spawn('sh', ['-c', `echo ${KEY} > "$0"`, pipe])
    const exited = once(writer, 'exit')
    expect(await reading).toBe(KEY)
    await exited
    await expect(readApiKey({ file: pipe })).rejects.toMatchObject({
      reason: 'auth',
      message: expect.stringMatching(/pipe: nobody wrote it within 10 s$/),
    })
  })
})

describe.runIf(process.platform === 'linux')('findKeyHolders (needs Linux)', () => {
  it('finds parent processes that were started with the key, although it was deleted', () => {
    const script = `import { findKeyHolders, keyWarning } from ${JSON.stringify(join(process.cwd(), 'src/sandbox/integrity/findKeyHolders.ts'))}
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

  it('reports nothing if nothing remains, or if the sandbox hides it', () => {
    expect(findKeyHolders('no environment holds this text')).toEqual([])
    expect(keyWarning([], false)).toEqual([])
    expect(keyWarning([{ pid: 1, command: 'bash' }], true)).toEqual([])
  })
})
