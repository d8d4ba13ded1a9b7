import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ownIdentity } from '../../src/lib/processIdentity.ts'
import { openClaims } from '../../src/sandbox/openClaims.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'claims-test-')))
const before = process.env['TMPDIR']
process.env['TMPDIR'] = root
afterAll(() => {
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  rmSync(root, { recursive: true, force: true })
})

const places = ['/p/.github/workflows', '/p/.mcp.json']

/** What of these paths a run may remove now. */
function given(claims: ReturnType<typeof openClaims>, paths: readonly string[]): readonly string[] {
  const free: string[] = []
  claims.give((isTaken) => void free.push(...paths.filter((path) => !isTaken(path))))
  return free
}

describe('openClaims', () => {
  it('keeps what another run has taken, and what lies around it, until it is given', () => {
    const [one, other] = [openClaims(places, ''), openClaims(['/p/.mcp.json'], '')]
    one.take()
    other.take()
    expect(given(one, [...places, '/p/.github'])).toEqual(['/p/.github/workflows', '/p/.github'])
    one.take()
    expect(given(other, ['/p/.mcp.json', '/p/.github'])).toEqual([])
    expect(given(one, places)).toEqual(places)
    one.close()
    other.close()
    expect(readdirSync(one.folder)).toEqual([])
  })

  it('counts no dead run and nothing that is no claim, and forgets them', async () => {
    const claims = openClaims(places, join(root, 'own'))
    const owner = { ...ownIdentity(), pid: 2 ** 22 + 1 }
    const scratch = join(root, 'left')
    writeFileSync(join(claims.folder, 'dead.held'), JSON.stringify({ owner, paths: places, scratch }))
    writeFileSync(join(claims.folder, 'elsewhere.idle'), JSON.stringify({ owner, paths: places, scratch: '/home' }))
    for (const text of ['', '{', 'null', '{"owner":{}}', '[]']) {
      writeFileSync(join(claims.folder, `${text.length}.held`), text)
    }
    expect(given(claims, places)).toEqual(places)
    const removed: string[] = []
    claims.forgetKilled(async (folder) => void removed.push(folder))
    await expect.poll(() => readdirSync(claims.folder).filter((name) => !/^\d/.test(name))).toEqual([])
    expect(removed).toEqual([scratch])
    claims.close()
  })

  it('goes on where its folder is gone', () => {
    const claims = openClaims(places, '')
    rmSync(claims.folder, { recursive: true })
    claims.take()
    expect(given(claims, places)).toEqual(places)
    claims.close()
  })
})
