import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { McpServerSettings } from '../../../src/contracts/settings.ts'
import { placeServers, serverWall } from '../../../src/mcp/settings/placeServers.ts'
import type { Invocation } from '../../../src/sandbox/createCommandAccess.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

/** A checkout with a program, and a folder outside with another one and a link into the checkout. */
function makePlace() {
  const folder = makeFolder()
  const [root, bin] = [join(folder, 'checkout'), join(folder, 'bin')]
  for (const each of [root, bin]) mkdirSync(each)
  for (const file of [join(root, 'own'), join(bin, 'tool')]) writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync(join(root, 'own'), join(bin, 'linked'))
  const warnings: string[] = []
  const options = {
    ...{ roots: [root], cwd: root, home: folder, path: bin, env: { HERE: root, BIN: bin }, isWalled: true },
    ...{ empty: join(folder, 'empty'), warn: (message: string) => void warnings.push(message) },
  }
  return { root, bin, folder, warnings, options }
}

type Place = ReturnType<typeof makePlace>

describe('a server', () => {
  it.each<[string, (place: Place) => McpServerSettings]>([
    ['whose program is a path in it', () => ({ command: './own' })],
    ['whose program is its path', ({ root }) => ({ command: join(root, 'own') })],
    ['whose program is a link into it', () => ({ command: 'linked' })],
    ['with an argument from it', ({ root }) => ({ command: 'tool', args: ['--script', join(root, 'own')] })],
    ['with a variable that names it', () => ({ command: 'tool', args: ['$' + '{HERE}/own'] })],
    ['with a value of its environment from it', ({ root }) => ({ command: 'tool', env: { LIB: join(root, 'own') } })],
    ['that starts in it', () => ({ command: 'tool', cwd: '.' })],
  ])('%s comes from the checkout: it runs in the sandbox, and where there is none it is told', (_, make) => {
    const place = makePlace()
    const server = make(place)
    expect(placeServers({ s: server }, place.options)).toEqual({ s: { ...server, sandbox: true } })
    expect(place.warnings).toEqual([])
    expect(placeServers({ s: server }, { ...place.options, isWalled: false })).toEqual({ s: server })
    expect(place.warnings).toEqual(['s runs something in the checkout, and there is no sandbox to start it in'])
    expect(existsSync(place.options.empty)).toBe(false)
  })

  it('from elsewhere runs outside, in an empty folder, so that it reads no settings of the checkout', () => {
    const { options, warnings, folder } = makePlace()
    const servers = { s: { command: 'tool', args: ['$' + '{BIN}/x'] } }
    expect(placeServers(servers, options)).toEqual({ s: { ...servers.s, cwd: options.empty } })
    expect(existsSync(options.empty)).toBe(true)
    const placed = { s: { command: 'tool', cwd: folder } }
    expect([placeServers(placed, options), placeServers(servers, { ...options, cwd: folder }), warnings]).toEqual([
      placed,
      servers,
      [],
    ])
  })

  it('that is none of our processes, or asks for the sandbox itself, stays as it is', () => {
    const { options, root } = makePlace()
    const servers = { a: { url: `https://example.com/${root}` }, b: { command: 'tool', sandbox: true } }
    expect(placeServers(servers, options)).toEqual(servers)
    expect(existsSync(options.empty)).toBe(false)
  })
})

describe('the wall of a server', () => {
  const server = { file: 'x', args: ['y'], cwd: '/w', env: { A: '1', PATH: 'own' } }
  const ended = async () => undefined
  const wrap = ({ file, args }: Invocation, cwd = '/') => ({ file: 'wall', args: [cwd, file, ...args], ended })

  it('wraps its command, and its variables win over those of the server', () => {
    const wall = serverWall({ wrap, environment: { PATH: 'inside' } })
    const inside = { file: 'wall', args: ['/w', 'x', 'y'], cwd: '/w', env: { A: '1', PATH: 'inside' }, ended }
    expect(wall?.(server)).toEqual(inside)
  })

  it('is Landlock where there is no sandbox, and none where there is neither', () => {
    const landlock = { wrap, environment: { HOME: '/h', TMPDIR: '/t' }, holdsReadOnly: true }
    const wall = serverWall({ wrap: undefined, landlock, environment: { PATH: 'inside' } })
    expect(wall?.(server)).toMatchObject({ file: 'wall', env: { A: '1', PATH: 'inside', HOME: '/h', TMPDIR: '/t' } })
    expect(serverWall({ wrap: undefined, environment: {} })).toBeUndefined()
  })
})
