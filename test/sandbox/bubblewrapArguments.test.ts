import { describe, expect, it } from 'vitest'
import { type BubblewrapPlan, bubblewrapArguments, type Mount } from '../../src/sandbox/bubblewrapArguments.ts'

const PLAN: BubblewrapPlan = { mounts: [], cwd: '/here', isRoot: false, isAdmin: true, isOffline: false }
const KEPT = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID'].map((name) => `CAP_${name}`)

/** The arguments as one text, for what stands beside what. */
const line = (change: Partial<BubblewrapPlan> = {}) => ` ${bubblewrapArguments({ ...PLAN, ...change }).join(' ')} `

describe('the arguments of bubblewrap', () => {
  it('are the whole of it, for the smallest plan', () => {
    expect(bubblewrapArguments(PLAN)).toEqual([
      ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--die-with-parent'],
      ...['--new-session', '--dev', '/dev', '--proc', '/proc'],
      ...['sys', 'sysrq-trigger', 'irq', 'bus', 'fs'].flatMap((name) => [
        '--ro-bind-try',
        `/proc/${name}`,
        `/proc/${name}`,
      ]),
      ...['--remount-ro', '/', '--chdir', '/here', '--'],
    ])
  })

  it.each<[string, Partial<BubblewrapPlan>, string]>([
    ['a user namespace without the right to mount', { isAdmin: false }, ' --unshare-user '],
    ['a network of its own where the run has none to share', { isOffline: true }, ' --unshare-net '],
    ['the descriptor for the process id', { infoDescriptor: '7' }, ' --info-fd 7 '],
    ['the ids of the user in a namespace where it is root', { ids: { uid: 5, gid: 6 } }, ' --uid 5 --gid 6 '],
    ['no capability for a user that is root there alone', { ids: { uid: 5, gid: 6 } }, ' --cap-drop ALL '],
    ['variables', { environment: { A: 'b c', D: '' } }, ' --setenv A b c --setenv D  '],
  ])('have %s', (_, change, words) => {
    expect(line(change)).toContain(words)
    expect(line()).not.toContain(words)
  })

  it('leave root what packages need, whoever it is', () => {
    for (const change of [{ isRoot: true }, { isRoot: true, ids: { uid: 0, gid: 0 } }]) {
      const words = bubblewrapArguments({ ...PLAN, ...change })
      expect(words.filter((word) => word === '--cap-drop')).toHaveLength(1)
      expect(words.flatMap((word, at) => (words[at - 1] === '--cap-add' ? [word] : []))).toEqual(KEPT)
    }
  })

  it('mount the root first, then /proc and /dev, then the rest in its order, and close the root at the end', () => {
    const mounts: Mount[] = [
      { kind: 'readOnly', source: '/s', target: '/a' },
      { kind: 'empty', target: '/a/tmp' },
      { kind: 'writable', source: '/w', target: '/a/w' },
      { kind: 'folder', target: '/a/f' },
      { kind: 'link', to: 'usr/bin', target: '/bin' },
      { kind: 'readOnly', source: '/r', target: '/' },
    ]
    const words = line({ mounts, environment: { A: '1' } })
    const rest = '--ro-bind /s /a --tmpfs /a/tmp --bind /w /a/w --dir /a/f --symlink usr/bin /bin'
    const places = [
      ' --ro-bind /r / ',
      ' --dev /dev ',
      ' --proc /proc ',
      ` ${rest} `,
      ' --setenv A 1 ',
      ' --remount-ro / ',
    ]
    const found = places.map((place) => words.indexOf(place))
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(found).not.toContain(-1)
  })
})
