import { describe, expect, it, vi } from 'vitest'
import type { SandboxParts } from '../../src/sandbox/openSandbox.ts'
import { objectionTo, sandboxAdvice } from '../../src/sandbox/sandboxAdvice.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'

const APPARMOR = 'kernel/apparmor_restrict_unprivileged_userns'

describe('sandboxAdvice', () => {
  it.each([
    ['debian', 'ID=debian\n', 'apt-get install --yes bubblewrap'],
    ['a child of ubuntu', 'NAME="Pop"\nID=pop\nID_LIKE="ubuntu debian"\n', 'apt-get install --yes bubblewrap'],
    ['fedora', 'ID="fedora"\n', 'dnf install --assumeyes bubblewrap'],
    ['alpine', 'ID=alpine\n', 'apk add bubblewrap'],
    ['opensuse', 'ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', 'zypper --non-interactive install bubblewrap'],
    ['another variant', 'VARIANT_ID=fedora\nID=arch\n', 'pacman --sync --noconfirm bubblewrap'],
    ['something else', 'ID=plan9\n', 'install the package bubblewrap'],
  ])('names the command that installs it on %s', (_, release, line) => {
    const [found = ''] = sandboxAdvice('bwrap is missing', makeFiles({ 'etc/os-release': release }))
    expect(found.replace(/^sudo /, '')).toBe(line)
  })

  it('looks at the machine itself, and says it with sudo to who is not root', () => {
    const files = { 'etc/os-release': 'ID=debian\n', [`proc/sys/${APPARMOR}`]: '1\n' }
    const place = makeFiles(files)
    const getuid = vi.spyOn(process, 'getuid')
    const linesOf = (uid: number) => {
      getuid.mockReturnValue(uid)
      return (['bwrap is missing', 'it does not start'] as const).map((fault) => sandboxAdvice(fault, place))
    }
    const profile = [
      'or, for bwrap alone, as /etc/apparmor.d/bwrap:',
      'profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }',
    ]
    const knob = 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
    expect(linesOf(0)).toEqual([['apt-get install --yes bubblewrap'], [knob, ...profile]])
    expect(linesOf(1000)).toEqual([['sudo apt-get install --yes bubblewrap'], [`sudo ${knob}`, ...profile]])
    getuid.mockRestore()
    expect(sandboxAdvice('bwrap is missing')).toEqual(sandboxAdvice('bwrap is missing', '/'))
  })

  it.each([
    ['no user namespaces', { 'proc/sys/user/max_user_namespaces': '0\n' }, /sysctl -w user\.max_user_namespaces=/],
    ['none for users', { 'proc/sys/kernel/unprivileged_userns_clone': '0' }, /unprivileged_userns_clone=1/],
    ['AppArmor', { [`proc/sys/${APPARMOR}`]: '1' }, /apparmor_restrict.*=0[\s\S]*userns,/],
    ['a container', { '.dockerenv': '' }, /--security-opt seccomp=unconfined.*\n.*wall: landlock/],
    ['nothing that is known', { 'proc/sys/user/max_user_namespaces': '1000' }, /^$/],
  ] as const)('says how to make it start: %s', (_, files, expected) => {
    expect(sandboxAdvice('it does not start', makeFiles(files)).join('\n')).toMatch(expected)
  })
})

it('a limit on processes is no fault of the sandbox', () => {
  expect(sandboxAdvice('too many processes').join()).toMatch(/ulimit -u; docker run --pids-limit/)
})

describe('what `required` refuses', () => {
  const network = { mode: 'none', state: 'enforced', detail: 'why' } as SandboxParts['network']
  const views = { state: 'enforced', detail: 'why' } as SandboxParts['views']
  const whole: SandboxParts = { state: 'enforced', detail: 'why', network, views }
  const loose = { ...network, state: 'advisory' } as const
  const unheld = 'sandbox.network: none cannot be enforced: why'
  const wall = (holdsNetwork: boolean) => ({ holdsNetwork }) as NonNullable<SandboxParts['landlock']>
  it.each<[string, Partial<SandboxParts>, string | undefined]>([
    ['nothing that is whole', {}, undefined],
    ['no open network', { network: { ...network, mode: 'open', state: 'off' } }, undefined],
    ['what does not start', { state: 'off' }, 'it does not start: why'],
    ['changes that cannot be undone', { views: { ...views, state: 'watched' } }, 'changes could not be undone: why'],
    ['a network that only asks', { network: loose }, unheld],
    ['no Landlock that holds the network', { state: 'advisory', network: loose, landlock: wall(true) }, undefined],
    ['a Landlock that does not', { network: loose, landlock: wall(false) }, unheld],
  ])('%s', (_, parts, objection) => {
    expect(objectionTo({ mode: 'required' }, { ...whole, ...parts })).toBe(objection)
    expect(objectionTo({ mode: 'auto' }, { ...whole, ...parts })).toBeUndefined()
  })
})
