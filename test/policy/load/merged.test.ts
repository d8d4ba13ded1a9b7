import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { HOME } from '../../helpers/policy/policyCalls.ts'
import { sectionsOf } from '../../helpers/policy/sections.ts'

/** Each setting on a line, by its dotted name. */
function linesOf(value: unknown, name = ''): readonly string[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap) return [`${name}: ${JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([key, inner]) => linesOf(inner, name === '' ? key : `${name}.${key}`))
}

// Read it as the author of the extended file, who relies on what it says. `-u` writes it.
it('makes one policy of the files that extend one another', async () => {
  const told = sectionsOf(new URL('extends.txt', import.meta.url)).map(async ({ name, text, files }) => {
    const cwd = makeFiles({ 'policy.yml': text, ...Object.fromEntries(files) })
    const { rules, settings, files: used } = await loadPolicy({ file: 'policy.yml', cwd, home: HOME })
    const rows = rules.map(({ list, text: rule, file, line }) => `${list} ${rule} (${file}:${line})`)
    const lines = [`=== ${name}`, `files: ${used.join(', ')}`, ...rows, ...linesOf(settings)]
    return lines.join('\n').replaceAll(cwd, 'PROJECT').replaceAll(dirname(cwd), 'OUTSIDE')
  })
  await expect((await Promise.all(told)).join('\n')).toMatchFileSnapshot('golden/merged.txt')
})
