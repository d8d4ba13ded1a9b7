import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openViewMemory } from '../../../src/sandbox/views/openViewMemory.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const MACHINE = [
  ...['random/boot_id', 'unprivileged_userns_clone', 'apparmor_restrict_unprivileged_userns'].map(
    (name) => `/proc/sys/kernel/${name}`,
  ),
  ...['/proc/sys/user/max_user_namespaces', '/proc/self/attr/current', '/proc/self/uid_map', '/proc/self/status'],
]
const CONFINED = ['Uid', 'Gid', 'Groups', 'CapEff', 'CapBnd', 'NoNewPrivs', 'Seccomp']

function place() {
  const kernel = Object.fromEntries(MACHINE.map((name) => [name, `${name}\n`]))
  const root = makeFiles({ 'project/': '', bwrap: '', ...kernel })
  const [folder = '', workspace = '', program = ''] = ['state', 'project', 'bwrap'].map((name) => join(root, name))
  const at = { folder, workspaces: [workspace], programs: [program], settings: { mode: 'auto' }, root }
  return { at, file: join(folder, 'views'), program, workspace }
}

/** The same path with another file. */
function replaced(program: string): string {
  rmSync(program)
  writeFileSync(program, '')
  return program
}

describe('what has worked', () => {
  it('is known in the next run, by its kind, until it is forgotten', () => {
    const { at } = place()
    const memory = openViewMemory(at)
    expect(memory.has(['root', '/a'])).toBe(false)
    memory.add(['root', '/a'])
    const next = openViewMemory(at)
    expect([next.has(['root', '/a']), next.has(['user', '/a']), next.has(['root', '/b'])]).toEqual([true, false, false])
    next.forget()
    expect(openViewMemory(at).has(['root', '/a'])).toBe(false)
  })

  it.each<[string, (lab: ReturnType<typeof place>) => Partial<Parameters<typeof openViewMemory>[0]>]>([
    ['a program was replaced', ({ program }) => ({ programs: [replaced(program)] })],
    ['a program is another one', ({ workspace }) => ({ programs: [workspace] })],
    ['the settings are others', () => ({ settings: { mode: 'required' } })],
    ['the checkout lies elsewhere', ({ at }) => ({ workspaces: [...at.workspaces, '/'] })],
  ])('is not known where %s', (_, change) => {
    const lab = place()
    openViewMemory(lab.at).add('x')
    expect(openViewMemory({ ...lab.at, ...change(lab) }).has('x')).toBe(false)
  })

  it.each([
    ...MACHINE.slice(0, -1).map((name) => [name, 'other\n', false] as const),
    ...CONFINED.map((name) => ['/proc/self/status', `Name:\tx\n${name}:\t1\nVmPeak:\t1\n`, false] as const),
    ['/proc/self/status', 'VmPeak:\t1\nVoluntary_Uid:\t1\n', true] as const,
  ])('is not known where the kernel confines this process otherwise: %s is %j', (name, content, isKnown) => {
    const { at } = place()
    openViewMemory(at).add('x')
    writeFileSync(join(at.root, name), content)
    expect(openViewMemory(at).has('x')).toBe(isKnown)
  })

  it('is never read from a checkout, nor written there', () => {
    const { at, file } = place()
    const inside = { ...at, workspaces: [...at.workspaces, at.folder] }
    const elsewhere = { ...inside, folder: join(at.root, 'elsewhere') }
    openViewMemory(elsewhere).add('x')
    expect(openViewMemory(elsewhere).has('x')).toBe(true)
    cpSync(elsewhere.folder, at.folder, { recursive: true })
    expect(openViewMemory(inside).has('x')).toBe(false)
    rmSync(file)
    openViewMemory(inside).add('x')
    expect(existsSync(file)).toBe(false)
  })

  it('keeps the last sixteen, and nothing where it cannot write or read', () => {
    const { at, file } = place()
    const memory = openViewMemory(at)
    for (let number = 0; number < 17; number++) memory.add(number)
    expect([memory.has(0), memory.has(1), memory.has(16)]).toEqual([false, true, true])
    rmSync(file)
    mkdirSync(file)
    memory.add('x')
    expect(memory.has('x')).toBe(false)
  })
})
