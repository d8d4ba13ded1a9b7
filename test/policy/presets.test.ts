import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lintPolicy } from '../../src/policy/lint/lintPolicy.ts'
import { expandPresets } from '../../src/policy/load/expandPresets.ts'
import { loadPolicy } from '../../src/policy/load/loadPolicy.ts'
import { presets, readPreset } from '../../src/policy/presets.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { policyOf } from '../helpers/policy/policyCalls.ts'

describe('presets', () => {
  it('are exactly the files of presets/', () => {
    expect(readdirSync('presets').sort()).toEqual(presets.map((name) => `${name}.yml`).sort())
  })

  it.each(presets)('%s is a policy whose rules are all read, with their places, and whose tests hold', async (name) => {
    const file = `${process.cwd()}/presets/${name}.yml`
    const policy = await loadPolicy({ file, cwd: process.cwd(), home: '/home/nobody' })
    const places = policy.rules.map(({ text, line, column, target }) => ({ text, line, column, target }))
    const expanded = expandPresets([name], [])
    expect(expanded.map(({ text, line, column, target }) => ({ text, line, column, target }))).toEqual(places)
    expect(policy.warnings).toEqual([])
    for (const { text, line } of expanded) expect(readPreset(name).split('\n')[line - 1]).toContain(text)
    const { code, out } = await commandLine(process.cwd(), ['policy', 'test', file])
    expect(code, out).toBe(0)
    expect(out).toMatch(/- .*\n(?:.*\n)*# \d+ passed, 0 failed/)
  })

  it('contain each rule once, and apply project rules to additional directories too', () => {
    const rules = expandPresets(['workspace', 'read-only', 'workspace'], ['/data/[a]'])
    expect(rules.filter(({ text }) => text === 'Read(./**)')).toHaveLength(1)
    const more = rules.filter(({ text }) => text.includes('/data/')).map(({ text, target }) => [text, target])
    expect(more).toEqual([
      ['Read(//data/\\[a\\]/**)', { kind: 'path', access: 'read', pattern: '//data/\\[a\\]/**' }],
      ['Edit(//data/\\[a\\]/**)', { kind: 'path', access: 'write', pattern: '//data/\\[a\\]/**' }],
    ])
  })

  it('cause no warnings, because their rules are visible', async () => {
    expect(lintPolicy(await policyOf({ presets: [...presets] }))).toEqual([])
  })
})
