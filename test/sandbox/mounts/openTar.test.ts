import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canListAttributes, openTar } from '../../../src/sandbox/mounts/openTar.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { isReady, missing } from '../openedSandbox.ts'

const base = makeFolder('tar-test-')

const NAMES = ['a', 'b c', '-d', 'e\nf', 'x'.repeat(200)].map((name) => join(base, 'folder', name))
for (const name of NAMES) mkdirSync(name, { recursive: true })

describe.skipIf(!isReady)(`openTar${missing}`, () => {
  it('answers one request after the other, and several at once', async () => {
    const tar = openTar('/usr/bin/tar', base)
    tar.start()
    expect(await tar.areOpaque(NAMES)).toEqual(NAMES.map(() => false))
    expect(await tar.areOpaque([])).toEqual([])
    const answers = await Promise.all([1, 5, 0, 2].map((count) => tar.areOpaque(NAMES.slice(0, count))))
    expect(answers.map(({ length }) => length)).toEqual([1, 5, 0, 2])
    tar.close()
  })

  it('answers less where an entry is missing, and then goes on', async () => {
    const tar = openTar('/usr/bin/tar', base)
    expect(await tar.areOpaque([...NAMES, join(base, 'missing')])).toHaveLength(NAMES.length)
    expect(await tar.areOpaque(NAMES)).toHaveLength(NAMES.length)
    tar.close()
  })

  it('starts again after its process has ended', async () => {
    const program = join(base, 'hangs-once')
    writeFileSync(program, `#!/bin/sh\n[ -e ${base}/hung ] && exec tar "$@"\n: >${base}/hung\nexec sleep 100\n`)
    chmodSync(program, 0o755)
    const tar = openTar(program, base)
    const asked = tar.areOpaque(NAMES)
    await expect.poll(() => existsSync(join(base, 'hung'))).toBe(true)
    tar.close()
    await expect(asked).rejects.toThrow(`${program} ended`)
    expect(await tar.areOpaque(NAMES)).toHaveLength(NAMES.length)
    tar.close()
  })

  it('fails if the program is missing or does not know the options', async () => {
    const other = join(base, 'other')
    writeFileSync(other, '#!/bin/sh\necho "unknown option" >&2\nexit 2\n')
    chmodSync(other, 0o755)
    await expect(openTar(join(base, 'none'), base).areOpaque(NAMES)).rejects.toThrow('ENOENT')
    await expect(openTar(other, base).areOpaque(NAMES)).rejects.toThrow('unknown option')
    expect(await canListAttributes(openTar(other, base), join(base, 'folder'))).toBe(false)
    const tar = openTar('/usr/bin/tar', base)
    expect(await canListAttributes(tar, join(base, 'folder'))).toBe(true)
    tar.close()
  })
})
