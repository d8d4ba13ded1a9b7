import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDecider, type NamedCall } from '../../../src/commands/policy/createDecider.ts'
import { parseCall } from '../../../src/commands/policy/parseCall.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { makeFolder } from '../makeFolder.ts'
import type { RuleLists } from './policyCalls.ts'

/** A project with links, a secret and a folder beside it. */
function makeProject(): { cwd: string; home: string } {
  const base = makeFolder()
  const cwd = join(base, 'project')
  for (const folder of ['src/sub', 'docs', 'secrets', '../out', '../home/private'])
    mkdirSync(join(cwd, folder), { recursive: true })
  for (const file of ['src/a.ts', 'secrets/key', '../out/f']) writeFileSync(join(cwd, file), 'x')
  const links = { outlink: '../out', seclink: 'secrets', self: '.', loop: 'loop', 'src/pw': '/etc/passwd' }
  const more = { 'src/k': '../secrets/key', 'src/dangling': '../../out/new', gone: 'nowhere' }
  for (const [link, target] of Object.entries({ ...links, ...more })) symlinkSync(target, join(cwd, link))
  return { cwd, home: join(base, 'home') }
}

type Row = string | NamedCall

/** The calls of each kind that are decided otherwise. */
export async function surprises(permissions: RuleLists, rows: { allow: readonly Row[]; deny: readonly Row[] }) {
  const { cwd, home } = makeProject()
  const read = async () => JSON.stringify({ version: 1, permissions })
  const policy = await loadPolicy({ file: '/etc/kode/policy.yml', cwd, home, read })
  const decide = createDecider(policy, 'default')
  const found: Row[] = []
  for (const [wanted, calls] of Object.entries(rows)) {
    for (const row of calls) {
      const call = typeof row === 'string' ? parseCall(row.replace('PROJECT', cwd)) : row
      if ((await decide(call)).decision !== wanted) found.push(row)
    }
  }
  return found
}
