import { expect, it } from 'vitest'
import type { Reason, RedirectProblemKind, WordProblemKind } from '../../../src/contracts/reason.ts'
import { briefPolicy } from '../../../src/policy/explain/briefPolicy.ts'
import { adviceOn, describeReason } from '../../../src/policy/explain/describeReason.ts'
import { allowReading, loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { HOME, PROJECT } from '../../helpers/policy/policyCalls.ts'
import { sectionsOf } from '../../helpers/policy/sections.ts'

// Read both as the agent does. `-u` writes them.
it('tells the agent in a few lines what it would otherwise learn from denials', async () => {
  const told = sectionsOf(new URL('policies.txt', import.meta.url)).map(async ({ name, text }) => {
    const policy = await loadPolicy({ file: '/p.yml', text, cwd: PROJECT, home: HOME })
    const briefs = [
      briefPolicy(allowReading(policy, '/state/blobs'), { network: 'none', mayEditAll: false }),
      briefPolicy(policy, { network: 'allowlist', mayEditAll: true, hasOwnTemporary: true }),
    ]
    expect(Math.max(...briefs.map((brief) => brief.length))).toBeLessThan(600)
    return `=== ${name}\n${briefs.join('\n')}\n`
  })
  await expect((await Promise.all(told)).join('')).toMatchFileSnapshot('golden/briefs.txt')
})

const words = Object.keys({
  ...{ braces: true, tilde: true, pattern: true, expansion: true, escape: true, process: true, translated: true },
} satisfies Record<WordProblemKind, true>) as WordProblemKind[]
const redirects = Object.keys({
  ...{ descriptor: true, unknown: true, dynamic: true, network: true, climbs: true, document: true, lost: true },
} satisfies Record<RedirectProblemKind, true>) as RedirectProblemKind[]
const long = 'x'.repeat(80)

const REASONS: { readonly [Code in Reason['code']]: readonly Omit<Extract<Reason, { code: Code }>, 'code'>[] } = {
  emptyLine: [{}],
  longLine: [{ most: 9 }],
  controlCharacter: [{}],
  brokenUnicode: [{}],
  hashAfterParenthesis: [{}],
  syntax: [{ problem: "expected 'fi'" }],
  noCommand: [{}],
  construct: [{ what: 'a coprocess' }, { what: 'a coprocess', instead: 'Use a pipe.' }],
  word: words.flatMap((what) => [{ what, text: '' }, ...(what === 'braces' ? [{ what, text: '{a' }] : [])]),
  arithmetic: [{ text: '$x + 1' }],
  unknownCommand: [{ text: '' }, { text: 'xargs' }],
  unseenCommands: [{ program: 'sh' }],
  variable: [{ name: '' }, { name: 'PATH' }],
  redirect: redirects.flatMap((what) => [{ what, target: '' }, ...(what === 'lost' ? [{ what, target: 'a' }] : [])]),
  hidden: [{}],
  changesHow: [{ program: 'sudo' }],
  starts: [
    { program: 'ed', words: '' },
    { program: 'node', words: '-e 1' },
    { program: 'node', words: long },
  ],
  mayBeOption: [
    { program: 'git', word: '' },
    { program: 'git', word: 'a' },
    { program: 'git', word: long },
  ],
  directory: [{ path: '' }, { path: '/x' }, { path: long, isLost: true }],
  noRule: [{}],
  moved: [{}],
  takenBack: [{}],
  mayContainCommand: [{}],
  reachesOutside: [
    { path: '/x', access: 'read' },
    { path: '/x', access: 'write' },
  ],
  stated: [{ text: 'it is as it is' }],
}

it('says each reason, and what would work instead', async () => {
  const told = Object.entries(REASONS).flatMap(([code, facts]) =>
    facts.map((fact) => {
      const reason = { code, ...fact } as Reason
      return `${code}: ${describeReason(reason)}${adviceOn(reason) === '' ? '' : ` → ${adviceOn(reason)}`}`
    }),
  )
  await expect(told.join('\n')).toMatchFileSnapshot('golden/reasons.txt')
})
