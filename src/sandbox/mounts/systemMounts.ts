import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { Mount } from '../bubblewrapArguments.ts'
import { existingPlaces } from './existingPlaces.ts'
import { closedMount } from './masks.ts'

/** Top folders with programs and what these need. All others are invisible. */
const TOP = /^(?:usr|bin|sbin|lib\w*|etc|opt|nix|gnu)$/

/** Places below others: certificates, installed packages, and what runtimes use to count processors and memory. */
const BELOW = [
  ...['/var/lib/ca-certificates', '/var/lib/alternatives', '/var/lib/dpkg'],
  ...['/sys/devices/system/cpu', '/sys/devices/system/node', '/sys/fs/cgroup'],
]

/** Where `/etc` may link to. */
const LINKED = ['/etc/resolv.conf', '/etc/localtime', '/etc/hosts', '/etc/ssl/certs', '/etc/ssl/cert.pem', '/etc/pki']

/** The operating system, read-only, without its passwords, host keys and logins. */
export function systemMounts(scratch: string): Mount[] {
  const below = BELOW.filter((path) => existsSync(path))
  const others = [...below, ...existing(LINKED).filter((path) => !isSystem(path))]
  return [
    ...systemFolders(),
    ...[...new Set(others)].map(readOnly),
    ...existingPlaces('/etc/').map((path) => closedMount(path, scratch)),
  ]
}

/** The folders with programs, as a whole. */
export function systemFolders(): Mount[] {
  const top = readdirSync('/').filter((name) => TOP.test(name))
  return top.map((name) => topMount(`/${name}`))
}

/** True for a place in a visible top folder. */
export function isSystem(path: string): boolean {
  return TOP.test(path.split('/')[1] ?? '') || BELOW.some((folder) => isWithin(path, folder))
}

export function readOnly(path: string): Mount {
  return { kind: 'readOnly', source: path, target: path }
}

function topMount(path: string): Mount {
  return lstatSync(path).isSymbolicLink() ? { kind: 'link', to: readlinkSync(path), target: path } : readOnly(path)
}

/** The real paths of those that exist. */
export function existing(paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path)).map((path) => realpathSync(path))
}
