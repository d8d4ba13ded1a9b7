import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withTables } from '../scripts/readmeTables.ts'
import { loadPolicy } from '../src/policy/loadPolicy.ts'

const readme = readFileSync('README.md', 'utf8')

it('docs/action.md has the tables that action.yml gives', async () => {
  const text = readFileSync('docs/action.md', 'utf8')
  expect(text).toContain('| `prompt` |')
  expect(await withTables(text)).toBe(text)
})

describe('README', () => {
  it('has the tables that the source gives (npm run docs makes them anew)', async () => {
    expect(await withTables(readme)).toBe(readme)
  })

  it('is short', () => {
    expect(readme.split('\n').length).toBeLessThan(200)
  })

  it('links to what is there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) expect([link, existsSync(link)]).toEqual([link, true])
  })

  it('shows a policy that loads without a word', async () => {
    const text = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    const folder = mkdtempSync(join(tmpdir(), 'kode-run-readme-'))
    writeFileSync(join(folder, 'policy.yml'), text)
    const policy = await loadPolicy({ file: join(folder, 'policy.yml'), cwd: folder, home: folder })
    expect([policy.warnings, policy.rules.length > 3]).toEqual([[], true])
  })

  it('has commands that package.json knows', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    for (const [, name] of readme.matchAll(/^npm run (\w+)/gm)) expect(Object.keys(scripts)).toContain(name)
  })
})
