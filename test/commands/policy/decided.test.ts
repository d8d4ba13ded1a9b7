import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createDecider } from '../../../src/commands/policy/createDecider.ts'
import { parseCall } from '../../../src/commands/policy/parseCall.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import type { MadeCall } from '../../../src/query/runTools/toNamedCall.ts'
import { writeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { filesOf } from '../../helpers/table.ts'

/** A project with links, a secret and a folder beside it. */
function makeProject(): { cwd: string; home: string } {
  const base = makeFolder()
  const cwd = join(base, 'project')
  const files = 'src/sub/ docs/ ../home/private/ src/a.ts=x secrets/key=x ../out/f=x'
  const links = 'outlink->../out seclink->secrets self->. loop->loop src/pw->/etc/passwd src/k->../secrets/key'
  writeFiles(cwd, filesOf(`${files} ${links} src/dangling->../../out/new gone->nowhere`))
  return { cwd, home: join(base, 'home') }
}

function callOf(text: string): MadeCall {
  const [, tool = text, json] = /^(\S+) (\{.*\})$/.exec(text) ?? []
  if (json !== undefined) return { tool, input: JSON.parse(json) }
  return text.includes('(') ? parseCall(text) : { tool: text, input: {} }
}

const sections = readFileSync(new URL('decided.txt', import.meta.url), 'utf8')
  .split(/^== /m)
  .slice(1)

it.each(sections.map((section) => section.split('\n')))('%s', async (_, ...lines) => {
  const { cwd, home } = makeProject()
  const rows = lines.flatMap((line) => {
    const [, sign = '', text = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    const whole = text.replace(/«(.+?)\*(\d+)»/g, (_all, part: string, times: string) => part.repeat(Number(times)))
    return sign === '' ? [] : [{ line, sign, text: JSON.parse(`"${whole.replaceAll('"', '\\"')}"`) as string }]
  })
  const rules = (list: string) => rows.filter(({ sign }) => sign === list).map(({ text }) => text)
  const read = async () => JSON.stringify({ version: 1, permissions: { allow: rules('allow'), deny: rules('deny') } })
  const decide = createDecider(await loadPolicy({ file: '/etc/kode/policy.yml', cwd, home, read }), 'default')
  const calls = rows.filter(({ sign }) => sign === '✓' || sign === '✗')
  expect(calls.length).toBeGreaterThan(0)
  for (const { line, sign, text } of calls) {
    const { decision } = await decide(callOf(text.replace('PROJECT', cwd)))
    expect([line, decision]).toEqual([line, sign === '✓' ? 'allow' : 'deny'])
  }
})
