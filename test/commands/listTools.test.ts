import { expect, it } from 'vitest'
import { messageOf } from '../../src/contracts/errors.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'

type Given = { readonly policy?: object; readonly args?: readonly string[]; readonly files?: Record<string, string> }

const SKILL = '---\ndescription: d\n---\nx'
const SERVERS = { a: { command: '/nowhere/a' } }

const LISTED: readonly (readonly [name: string, given: Given])[] = [
  ['no policy', {}],
  ['everything allowed', { policy: { permissions: { allow: ['Bash', 'Edit(./**)', 'WebFetch'] } } }],
  ['denied tools', { policy: { permissions: { allow: ['Bash'], deny: ['Grep', 'Agent'] } } }],
  ['outputs and memory', { policy: { outputs: { comment: { max: 1 } }, memory: '/srv/memory' } }],
  ['a skill', { files: { '.claude/skills/x/SKILL.md': SKILL } }],
  ['servers', { policy: { mcpServers: SERVERS, permissions: { allow: ['mcp__a'] } } }],
  ['servers of the project', { policy: { projectMcp: true } }],
  ['few', { args: ['--bare'], policy: { permissions: { allow: ['Bash', 'Edit(./**)'] } } }],
  ['chosen ones, as JSON', { args: ['--tools', 'LS,mcp__a__b', '--json'] }],
  ['one that there is not', { args: ['--tools', 'Raed'] }],
]

// Read it as somebody who writes a policy: `npx vitest run test/commands/listTools.test.ts -u` writes it.
it('lists what a policy offers', async () => {
  const told: string[] = []
  let usual: readonly string[] = []
  for (const [name, { policy, args = [], files = {} }] of LISTED) {
    const cwd = makeFiles({ ...files, ...(policy && { 'policy.yml': JSON.stringify({ version: 1, ...policy }) }) })
    const named = policy === undefined ? [] : ['--policy', 'policy.yml']
    const words = ['tools', ...named, ...args]
    const { out } = await commandLine(cwd, words, { environment: { PATH: '/nowhere' } }).catch((error: unknown) => ({
      out: `refused as ${Reflect.get(Object(error), 'reason')}: ${messageOf(error)}\n`,
    }))
    // Of a long list only what differs from that without a policy.
    const lines = out.trimEnd().split('\n')
    const isLong = lines.length > 20 && usual.length > 0 && !args.includes('--json')
    const missing = usual.filter((line) => !lines.includes(line)).map((line) => `- ${line}`)
    told.push(
      `== ${name}`,
      ...(isLong ? [...missing, ...lines.filter((line) => !usual.includes(line)).map((line) => `+ ${line}`)] : lines),
      '',
    )
    if (usual.length === 0) usual = lines
  }
  await expect(told.join('\n')).toMatchFileSnapshot('golden/tools.txt')
})
