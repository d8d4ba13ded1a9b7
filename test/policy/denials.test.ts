import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import type { Call, Subject } from '../../src/contracts/subject.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { advise } from '../../src/policy/suggest/advise.ts'
import { suggestRules } from '../../src/policy/suggest/suggestRules.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import {
  callOf,
  fetchCall,
  formsOf,
  HOME,
  mcpCall,
  PROJECT,
  policyOf,
  readCall,
  writeCall,
} from '../helpers/policy/policyCalls.ts'
import { ATTACKS, PROGRAMS } from '../shell/corpus/attacks.ts'
import { EVERYDAY, GIT_EVERYDAY } from '../shell/corpus/everyday.ts'

const context = { cwd: PROJECT, root: PROJECT, home: HOME, resolve: formsOf }
const written = readFileSync(new URL('../shell/corpus/lines.txt', import.meta.url), 'utf8').split('\n')
// By their text: a new line does not choose others.
const everyFourth = [...EVERYDAY, ...GIT_EVERYDAY, ...ATTACKS, ...PROGRAMS].filter(({ text }) => crc32(text) % 4 === 0)
const lines = [
  ...new Set([...written.map((line) => line.replaceAll('⏎', '\n')), ...everyFourth.map(({ text }) => text)]),
].filter((line) => line !== '')

function bashCall(line: string): readonly [string, Call] {
  const { subjects, isReadOnly } = analyzeCommand(line, context)
  return [
    `Bash ${JSON.stringify(line).slice(0, 200)}`,
    callOf('Bash', subjects, { input: { command: line }, isReadOnly }),
  ]
}

function nameOf(subject: Subject): string {
  if (subject.kind === 'path') return subject.path.given
  return subject.kind === 'domain' ? subject.url : subject.kind
}

const calls = [
  ...[readCall('src/a.ts'), readCall('/etc/passwd'), readCall('secrets/key'), readCall(`${HOME}/.ssh/id_rsa`)],
  ...[writeCall('src/a.ts'), writeCall('docs/a.md'), writeCall('/srv/other/a'), writeCall('.github/workflows/ci.yml')],
  ...['src/generated/a.ts', '.git/config', '[odd] *.md'].map((path) => writeCall(path)),
  readCall('docs/a.md', 'Grep'),
  ...['https://docs.example/a', 'https://other.example:8443/', 'http://169.254.169.254/'].map(fetchCall),
  ...[mcpCall('github', 'get_issue'), mcpCall('github', 'delete_repo'), mcpCall('files', 'read')],
  callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier: 'reviewer' }]),
  callOf('Skill', [{ kind: 'name', tool: 'Skill' }]),
].map((call) => [`${call.tool} ${call.subjects.map(nameOf).join(' ')}`, call] as const)

const policy = await policyOf({
  presets: ['read-only'],
  allow: ['Bash(npm test)', 'Bash(npm run *)', 'Bash(git add *)', 'Bash(touch *)', 'Edit(src/**)'].concat([
    ...['WebFetch(domain:docs.example)', 'mcp__github__get_issue', 'Read(/etc/hosts)', 'Agent(writer)'],
  ]),
  ask: ['Bash(npm publish *)', 'mcp__files'],
  deny: ['Bash(git push *)', 'Bash(rm *)', 'Read(secrets/**)', 'Edit(src/generated/**)', 'mcp__github__delete_repo'],
})

// Read it as the agent does. A change of a sentence is seen in review: `npx vitest run test/policy/denials.test.ts -u` writes it.
it('says of each line and call what is not allowed, why, and what would allow it', { timeout: 60_000 }, async () => {
  const told = [...calls, ...lines.map(bashCall)].map(([name, call]) => {
    const { behavior, message } = advise(policy, call, evaluate(policy, call))
    return `${behavior} ${name}${message === '' ? '' : `\n  ${message}`}`
  })
  await expect(told.join('\n')).toMatchFileSnapshot('golden/denials.txt')
})

it('drafts few rules for many lines', { timeout: 60_000 }, async () => {
  const named = lines.map(bashCall).map(([name, call]) => ({ name, call }))
  const parts = Array.from({ length: Math.ceil(named.length / 25) }, (_, at) => named.slice(25 * at, 25 * at + 25))
  const drafts = parts.map((part) => {
    const { rules, refused } = suggestRules(policy, part)
    return [
      ...rules.map(({ rule, from }) => `${rule} for ${from.length}`),
      ...refused.map(({ call, why }) => `none for ${call}: ${why}`),
    ].join('\n')
  })
  await expect(drafts.join('\n\n')).toMatchFileSnapshot('golden/drafts.txt')
})
