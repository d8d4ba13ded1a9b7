import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { PathSource } from '../../../src/contracts/subject.ts'
import { evaluate } from '../../../src/policy/evaluate.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import type { Policy } from '../../../src/policy/Policy.ts'
import { createHiddenJudge, namedSecrets } from '../../../src/policy/paths/hiddenPlaces.ts'
import { opensProtected, protectionsOf } from '../../../src/policy/paths/judgeProtection.ts'
import { bashCall, callOf, HOME, PROJECT } from '../../helpers/policy/policyCalls.ts'
import { sectionsOf } from '../../helpers/policy/sections.ts'

const places = readFileSync(new URL('places.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** Nothing is looked up: what is there differs between machines. */
const placeOf = ({ cwd }: Policy, place: string) => resolve(cwd, place.replace(/^~/, HOME))

function verdictOn(policy: Policy, place: string, access: 'read' | 'write', source: PathSource): string {
  const lexical = placeOf(policy, place)
  const path = { given: place, lexical, resolved: lexical, physical: lexical }
  const subject = { kind: 'path', access, path, source } as const
  const { behavior, parts } = evaluate(policy, source === 'tool' ? callOf('Read', [subject]) : bashCall(subject))
  const reason = parts[0]?.reason
  const why = reason?.type === 'rule' ? `${reason.rule.list} ${reason.rule.text}` : Object(reason).detail
  return `${behavior} (${why ?? ''})`
}

const USES = [
  ...(['tool', 'operand'] as const).flatMap((source) => [['read', source] as const, ['write', source] as const]),
  ['write', 'redirect'] as const,
]

/** Equal verdicts stand on one line. */
function linesOf(policy: Policy, place: string): readonly string[] {
  const path = placeOf(policy, place)
  const hidden = createHiddenJudge(policy)
  const asked = USES.map(
    ([access, source]) => [`${access} by ${source}`, verdictOn(policy, place, access, source)] as const,
  )
  const verdicts = [...new Set(asked.map(([, verdict]) => verdict))]
  const names = (['read', 'write'] as const).map((access) => protectionsOf(path, access, HOME).map(({ name }) => name))
  return [
    `${place}${hidden(path, 'file') ? ', hidden as a file' : ''}${hidden(path, 'folder') ? ', hidden as a folder' : ''}`,
    ...(names.flat().length === 0
      ? []
      : [`  protected: ${names.map((each) => each.join(' and ') || '-').join(' / ')}`]),
    ...verdicts.map((verdict) => {
      const uses = asked.filter(([, each]) => each === verdict).map(([use]) => use)
      return `  ${uses.join(', ')}: ${verdict}`
    }),
  ]
}

// Read it as who has to keep secrets. `npx vitest run test/policy/paths/places.test.ts -u` writes it.
it('says of each place who may read and write it, and why', async () => {
  const told = sectionsOf(new URL('policies.txt', import.meta.url)).map(async ({ name, text }) => {
    const cwd = / at ~(.*)$/.exec(name)?.[1]
    const at = { cwd: cwd === undefined ? PROJECT : `${HOME}${cwd}`, home: HOME, untouchable: ['/state'] }
    const policy = await loadPolicy({ file: '/p.yml', text, ...at })
    const facts = `opens protected places: ${opensProtected(policy)}; named secrets: ${namedSecrets(policy).join(', ')}`
    return [`=== ${name}`, facts, ...places.flatMap((place) => linesOf(policy, place))].join('\n')
  })
  await expect((await Promise.all(told)).join('\n')).toMatchFileSnapshot('golden/places.txt')
})
