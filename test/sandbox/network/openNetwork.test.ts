import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasAdminCapability } from '../../../src/sandbox/bubblewrapArguments.ts'
import { type NetworkMode, openNetwork } from '../../../src/sandbox/network/openNetwork.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { addProgram, STARTS } from '../fakePrograms.ts'

/** Says who it is, as bwrap does, and runs the command without a namespace. */
const HOLDS = `echo '{"child-pid": '$$'}' >&3; exec 3>&-\n${STARTS}`
const NSENTER = '/programs/nsenter'

/** Opens a network with programs of the test's own, so that every outcome is possible on every machine. */
async function open(mode: NetworkMode, bwrap: string | undefined = HOLDS, problem?: string, nsenter?: string) {
  const scratch = makeFiles()
  const prefixes: (readonly string[])[] = []
  const refusals: string[] = []
  const program = addProgram(scratch, 'bwrap', bwrap)
  const probe = async (prefix: readonly string[]) => {
    prefixes.push(prefix)
    return problem
  }
  const network = await openNetwork({
    mode,
    allow: ['allowed.example'],
    namespaces: { bwrap: program, nsenter, scratch, probe },
    onRefusal: (message) => refusals.push(message),
  })
  onTestFinished(network.close)
  const isHeld = () => prefixes.some(([, , pid]) => existsSync(`/proc/${pid}/cwd/`))
  return { network, prefixes, refusals, isHeld, socket: join(scratch, 'proxy.sock') }
}

/** What a proxy answers to a request for this host. */
const ask = (proxy: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(proxy)
    const asked = request({ host: hostname, port, path: `http://${host}/`, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    asked.on('error', reject).end()
  })

describe('a network for the run', () => {
  it('none: commands enter one without a way out, which ends with the run', async () => {
    const { network, prefixes, isHeld } = await open('none', HOLDS, undefined, NSENTER)
    const ways = hasAdminCapability() ? ['--net'] : ['--user', '--net', '--preserve-credentials']
    expect(prefixes).toEqual([[NSENTER, '--target', expect.stringMatching(/^\d+$/), ...ways, '--']])
    expect(network).toMatchObject({ mode: 'none', state: 'enforced', detail: 'no way out', prefix: prefixes[0] })
    expect([network.environment, network.isOffline, isHeld()]).toEqual([{}, false, true])
    await network.close()
    await expect.poll(isHeld).toBe(false)
  })

  it('allowlist: its only way out is the proxy, which refuses other hosts', async () => {
    const { network, refusals, isHeld, socket } = await open('allowlist', HOLDS, undefined, NSENTER)
    expect(network).toMatchObject({ state: 'enforced', detail: 'only the hosts of sandbox.allow', isOffline: false })
    const { http_proxy: proxy = '', ...others } = network.environment
    expect(others).toEqual({
      ...Object.fromEntries(
        ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'https_proxy', 'all_proxy'].map((name) => [name, proxy]),
      ),
      ...{ NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1', NODE_USE_ENV_PROXY: '1' },
    })
    expect(await ask(proxy, 'other.example')).toBe(403)
    expect(refusals).toEqual([expect.stringContaining('other.example')])
    await network.close()
    await expect.poll(isHeld).toBe(false)
    expect(existsSync(socket)).toBe(false)
  })
})

describe('where it cannot be made', () => {
  const FAULTS: [string, string | undefined, string | undefined, string | undefined, RegExp][] = [
    ['nsenter is missing', HOLDS, undefined, undefined, /nsenter is missing: install the package util-linux/],
    ['it cannot be entered', HOLDS, 'not permitted', NSENTER, /not permitted/],
    ['bwrap says why not', 'echo "bwrap: no namespace" >&2; exit 1', undefined, NSENTER, /bwrap: no namespace/],
    ['bwrap ends without a word', 'exit 1', undefined, NSENTER, /it ended at once/],
    ['bwrap cannot be started', '#', undefined, NSENTER, /ENOENT/],
  ]

  it.each(FAULTS)('none: each command has its own: %s', async (_, bwrap, problem, nsenter, why) => {
    const { network, isHeld } = await open('none', bwrap, problem, nsenter)
    expect(network).toMatchObject({ state: 'enforced', isOffline: true, prefix: [], environment: {} })
    expect(network.detail).toMatch(new RegExp(`^no network, and none between commands \\(.*${why.source}.*\\)$`))
    await expect.poll(isHeld).toBe(false)
  })

  it.each(FAULTS)('allowlist: children are asked to use a proxy: %s', async (_, bwrap, problem, nsenter, why) => {
    const { network, refusals, isHeld, socket } = await open('allowlist', bwrap, problem, nsenter)
    expect(network).toMatchObject({ state: 'advisory', isOffline: false, prefix: [] })
    expect(network.detail).toMatch(new RegExp(`^proxy variables only, which a program may ignore: .*${why.source}`))
    expect(await ask(network.environment['https_proxy'] ?? '', 'other.example')).toBe(403)
    expect(refusals).toHaveLength(1)
    await expect.poll(isHeld).toBe(false)
    expect(existsSync(socket)).toBe(false)
  })
})
