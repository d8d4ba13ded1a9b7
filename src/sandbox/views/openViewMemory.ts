import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { arch, release, version } from 'node:os'
import { dirname, join } from 'node:path'
import { readRaw } from '../../lib/fs/atPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'
import { VERSION } from '../../lib/version.ts'

export type ViewMemory = ReturnType<typeof openViewMemory>

const MOST = 16

/**
 * Which views have worked on this machine: the next run need not test them before its first request. Its first command
 * confirms them. It is in the state folder of the user, never in the checkout. What cannot be read or written is not
 * remembered. `programs`: what starts a view. `settings`: what the mounts follow from.
 */
export function openViewMemory(options: {
  readonly folder: string
  readonly workspaces: readonly string[]
  readonly programs: readonly string[]
  readonly settings: unknown
  /** Where this machine's `/proc` is. */
  readonly root?: string
}) {
  const { folder, workspaces, root = '' } = options
  const file = join(folder, 'views')
  const isOwn = !workspaces.some((workspace) => isWithin(folder, workspace))
  const programs = ['/proc/self/exe', ...options.programs]
  const facts = JSON.stringify([...machine(root), ...programs.map(stampOf), workspaces.map(deviceOf), options.settings])
  const nameOf = (kind: unknown) =>
    createHash('sha256')
      .update(`${facts} ${JSON.stringify(kind)}`)
      .digest('hex')
  const read = () => readRegular(file)?.toString('latin1').split('\n') ?? []
  return {
    /** Whether a view of this kind has worked since the machine was started, with the same programs, kernel and settings. */
    has: (kind: unknown) => isOwn && read().includes(nameOf(kind)),
    add(kind: unknown) {
      if (!isOwn) return
      orElse(undefined, () => {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        const names = [nameOf(kind), ...read().filter((name) => name !== nameOf(kind))].slice(0, MOST)
        writeFileSync(file, names.join('\n'), { mode: 0o600 })
      })
    },
    forget: () => rmSync(file, { force: true }),
  }
}

/** What a view stands on and no setting of a run names: the kernel and its limits, the user, and what confines this process. */
function machine(root: string): readonly unknown[] {
  const files = [
    '/proc/sys/kernel/random/boot_id',
    '/proc/sys/kernel/unprivileged_userns_clone',
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '/proc/sys/user/max_user_namespaces',
    '/proc/self/attr/current',
    '/proc/self/uid_map',
  ]
  const own = readRaw(`${root}/proc/self/status`).match(/^(?:Uid|Gid|Groups|CapEff|CapBnd|NoNewPrivs|Seccomp):.*$/gm)
  return [VERSION, release(), version(), arch(), own, ...files.map((file) => readRaw(root + file))]
}

function stampOf(path: string): unknown {
  return orElse(undefined, () => {
    const { dev, ino, size, ctimeMs } = statSync(path)
    return [path, dev, ino, size, ctimeMs]
  })
}

function deviceOf(path: string): unknown {
  return [path, statSync(path, { throwIfNoEntry: false })?.dev]
}
