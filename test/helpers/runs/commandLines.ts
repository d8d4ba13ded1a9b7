import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readRaw } from '../../../src/lib/fs/atPath.ts'

/** The command lines of all processes by their numbers: from `/proc`, so that no machine needs `ps` for it, where there is one. */
export function commandLines(): readonly { readonly pid: number; readonly text: string }[] {
  if (existsSync('/proc/self/cmdline')) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const lines = pids.map((pid) => ({ pid: Number(pid), text: readRaw(`/proc/${pid}/cmdline`) }))
    return lines.map(({ pid, text }) => ({ pid, text: text.replaceAll('\0', ' ').trim() })).filter(({ text }) => text)
  }
  return execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), text: line.trim().replace(/^\d+ /, '') }))
}
