import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { wordsIn } from '../../../src/lib/text/words.ts'
import { makeMasks } from '../../../src/sandbox/mounts/masks.ts'
import { isSystem, systemFolders, systemMounts } from '../../../src/sandbox/mounts/systemMounts.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

it.each([
  ...wordsIn('/usr /usr/bin/env /bin/sh /sbin /lib /lib64/x /lib32 /etc/passwd /opt/x /nix /gnu /var/lib/dpkg'),
  ...wordsIn('/var/lib/dpkg/status /sys/fs/cgroup/x /sys/devices/system/cpu'),
])('%s is part of the system', (path) => expect(isSystem(path)).toBe(true))

it.each([
  ...wordsIn('/ /home /root/.ssh /srv /mnt /media /run/secrets /proc /var /var/lib /var/lib/docker /sys /tmp/usr'),
  ...wordsIn('/usrlocal /mybin /library-x /etcetera'),
])('%s is not', (path) => expect(isSystem(path)).toBe(false))

it('folders with programs are read-only, and a link among them stays one', () => {
  const mounts = systemFolders()
  expect(mounts.length).toBeGreaterThan(3)
  for (const mount of mounts) {
    const { target } = mount
    const isLink = lstatSync(target).isSymbolicLink()
    expect(mount).toEqual(
      isLink ? { kind: 'link', to: readlinkSync(target), target } : { kind: 'readOnly', source: target, target },
    )
    expect(target).toMatch(/^\/(?:usr|bin|sbin|lib\w*|etc|opt|nix|gnu)$/)
  }
})

it.runIf(process.platform === 'linux')(
  'the system is there without its passwords, each place once (needs Linux)',
  () => {
    const scratch = makeFiles()
    makeMasks(scratch)
    const mounts = systemMounts(scratch)
    const first = mounts.map(({ target }) => target)
    for (const path of ['/etc/resolv.conf', '/etc/hosts'].filter((path) => existsSync(path)))
      expect(first.some((folder) => folder === '/etc' || path.startsWith(`${folder}/`))).toBe(true)
    const closed = mounts.filter((mount) => mount.kind === 'readOnly' && mount.source !== mount.target)
    const shadow = existsSync('/etc/shadow') ? ['/etc/shadow'] : []
    expect(closed.map(({ target }) => target)).toEqual(expect.arrayContaining(shadow))
    expect(closed.every(({ target }) => target.startsWith('/etc/'))).toBe(true)
    const open = mounts.filter((mount) => !closed.includes(mount)).map(({ target }) => target)
    expect(new Set(open).size).toBe(open.length)
    expect(open.filter((path) => open.some((folder) => path.startsWith(`${folder}/`)))).toEqual([])
    // What is hidden covers what is shown.
    expect(Math.min(...closed.map((mount) => mounts.indexOf(mount)))).toBeGreaterThanOrEqual(open.length)
    for (const path of ['/var/lib/dpkg', '/sys/fs/cgroup'].filter((path) => existsSync(path)))
      expect(mounts).toContainEqual({ kind: 'readOnly', source: path, target: path })
  },
)
