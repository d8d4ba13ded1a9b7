import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findUnused, type Offers } from '../../../src/policy/lint/findUnused.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { commandLine } from '../../helpers/commandLine.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const NOTHING: Offers = { servers: [], hasUnusedServers: false, skills: [] }

function makeProject(permissions: object): string {
  const cwd = makeFolder()
  for (const folder of ['packages/app/src', 'docs', 'node_modules/x/lib', '.hidden/deep'])
    mkdirSync(join(cwd, folder), { recursive: true })
  writeFileSync(join(cwd, 'policy.yml'), JSON.stringify({ version: 1, permissions }))
  return cwd
}

async function unused(permissions: object, offers: Partial<Offers> = {}) {
  const cwd = makeProject(permissions)
  const policy = await loadPolicy({ file: join(cwd, 'policy.yml'), cwd, home: '/home/nobody' })
  return findUnused(policy, { ...NOTHING, ...offers }).map(({ message }) => message)
}

it.each<[string, object, Partial<Offers>, readonly string[]]>([
  [
    'a server that is not there',
    { allow: ['mcp__gone__read'] },
    {},
    ['mcp__gone__read: there is no server "gone"; name it'],
  ],
  [
    'and what is',
    { allow: ['mcp__gone'] },
    { servers: ['a', 'b'] },
    ['mcp__gone: there is no server "gone"; there are a, b;'],
  ],
  [
    'a folder that lies elsewhere',
    { allow: ['Edit(src/**)'] },
    {},
    ['Edit(src/**): there is no folder src here, but one in packages/app'],
  ],
  [
    'an .mcp.json that is not loaded',
    {},
    { hasUnusedServers: true },
    ['its servers are not used; write `projectMcp: true`'],
  ],
  [
    'a skill that no rule allows',
    {},
    { skills: ['pdf'] },
    ['no rule allows the skill pdf; write `Skill` or `Skill(pdf)`'],
  ],
  ['skills, once', { allow: ['Skill(b)'] }, { skills: ['a', 'b', 'c'] }, ['no rule allows the 2 skills a, c;']],
])('warns about %s', async (_what, permissions, offers, expected) => {
  const found = await unused(permissions, offers)
  expect(found).toEqual(expected.map((words) => expect.stringContaining(words)))
})

it.each<[string, object, Partial<Offers>]>([
  ['a server that is there', { allow: ['mcp__a__read'] }, { servers: ['a'] }],
  ['a rule for any server', { allow: ['mcp__*'] }, {}],
  ['a rule against a server', { deny: ['mcp__gone'] }, {}],
  ['a folder that is there', { allow: ['Edit(docs/**)'] }, {}],
  ['a folder that the run may make', { allow: ['Edit(new/**)'] }, {}],
  ['folders of packages and hidden ones', { allow: ['Edit(lib/**)', 'Edit(deep/**)'] }, {}],
  ['a skill that a rule allows', { allow: ['Skill'] }, { skills: ['pdf'] }],
  ['a skill that a rule denies', { deny: ['Skill(pdf)'] }, { skills: ['pdf'] }],
])('says nothing of %s', async (_what, permissions, offers) => {
  expect(await unused(permissions, offers)).toEqual([])
})

it('policy check says it too, by what is in the project', async () => {
  const cwd = makeProject({ allow: ['mcp__gone'] })
  writeFileSync(join(cwd, '.mcp.json'), '{}')
  mkdirSync(join(cwd, '.claude/skills/pdf'), { recursive: true })
  writeFileSync(join(cwd, '.claude/skills/pdf/SKILL.md'), 'text')
  const { code, out } = await commandLine(cwd, ['policy', 'check', 'policy.yml'])
  expect(code).toBe(0)
  expect(out).toMatch(
    /warning: mcp__gone: .*\.mcp\.json: warning: its servers.*\.claude\/skills: warning: no rule allows/s,
  )
})
