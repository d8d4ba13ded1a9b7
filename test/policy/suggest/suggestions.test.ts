import { expect, it } from 'vitest'
import { parseCall } from '../../../src/commands/policy/parseCall.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { addRules } from '../../../src/policy/suggest/addRules.ts'
import { sampleCalls } from '../../../src/policy/suggest/sampleCalls.ts'
import { suggestRules } from '../../../src/policy/suggest/suggestRules.ts'
import { toNamedCall } from '../../../src/query/runTools/toNamedCall.ts'
import { callLabel } from '../../../src/report/callLabel.ts'
import { HOME, PROJECT } from '../../helpers/policy/policyCalls.ts'
import { sectionsOf } from '../../helpers/policy/sections.ts'

const ADDED = [
  { rule: 'Bash(git diff *)', comment: 'git diff --stat, git diff src' },
  { rule: 'Edit(./a#b)', comment: 'Write(a#b)' },
]
const sections = sectionsOf(new URL('calls.txt', import.meta.url))

const policyIn = ({ files: [file] }: (typeof sections)[number]) =>
  loadPolicy({ file: '/p.yml', text: file?.[1] ?? 'version: 1', cwd: PROJECT, home: HOME })

// Read it as the owner of a policy, to whom these rules are offered. `-u` writes it.
it('offers few rules for many calls, and says why it offers none', async () => {
  const told = sections.map(async (section) => {
    const policy = await policyIn(section)
    const named = section.text.split('\n').flatMap((name) => {
      const read = name === '' ? undefined : toNamedCall(policy, parseCall(name))
      return read !== undefined && 'call' in read ? [{ name, call: read.call }] : []
    })
    const { rules, refused } = suggestRules(policy, named)
    return [
      `=== ${section.name}`,
      ...rules.map(({ rule, from }) => `${rule} for ${from.join(', ')}`),
      ...refused.map(({ call, why }) => `none for ${call}: ${why}`),
    ].join('\n')
  })
  await expect((await Promise.all(told)).join('\n')).toMatchFileSnapshot('golden/rules.txt')
})

it('writes rules into a policy, and changes nothing else', async () => {
  const told = sectionsOf(new URL('edits.txt', import.meta.url)).map(({ name, text }) => {
    try {
      return `=== ${name}\n${addRules(name.includes('without a last line feed') ? text.trimEnd() : text, ADDED)}`
    } catch (error) {
      return `=== ${name}\n! ${String(error)}\n`
    }
  })
  await expect(told.join('')).toMatchFileSnapshot('golden/edited.txt')
})

it('writes nothing for no rule, and ends lines as the file does', () => {
  expect(addRules('version: 1   #\n', [])).toBe('version: 1   #\n')
  const text = 'version: 1\npermissions:\n  allow:\n    - Bash(ls)\n'
  const windows = (lines: string) => lines.replaceAll('\n', '\r\n')
  expect(addRules(windows(text), ADDED)).toBe(windows(addRules(text, ADDED)))
})

it('shows by samples what the rules of a policy mean', async () => {
  const policy = await policyIn(sections.at(-1) as (typeof sections)[number])
  const calls = sampleCalls([policy, policy]).map(({ tool, input }) => callLabel(tool, input))
  await expect(calls.join('\n')).toMatchFileSnapshot('golden/samples.txt')
})
