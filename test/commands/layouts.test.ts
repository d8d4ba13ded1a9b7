import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createDecider } from '../../src/commands/policy/createDecider.ts'
import { parseCall } from '../../src/commands/policy/parseCall.ts'
import { loadPolicy } from '../../src/policy/load/loadPolicy.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampled } from '../helpers/sampled.ts'

const LAYOUTS = 'test/fixtures/layouts'

/** What nobody means to allow by setting up any of the jobs. */
const NEVER = [
  ...['Edit(.github/workflows/ci.yml)', 'Edit(.gitlab-ci.yml)', 'Edit(.git/config)', 'Edit(.git/hooks/pre-commit)'],
  ...['Edit(.kode/policy.yml)', 'Edit(.npmrc)', 'Edit(.pre-commit-config.yaml)', 'Edit(../elsewhere/a.js)'],
  'Edit(.github/CODEOWNERS)',
  'Edit(AGENTS.md)',
  'Edit(.goreleaser.yml)',
  'Read(.env)',
  'Read(/home/nobody/.ssh/id_ed25519)',
  'WebFetch(https://evil.example)',
  ...['Bash(echo x > .github/workflows/ci.yml)', 'Bash(cat .env)', 'Edit(/etc/hosts)'],
]

/** A copy of the layout's repository with what `init` wrote into it. */
async function initiated(layout: string): Promise<string> {
  const folder = makeFolder(`kode-run-${layout}-`)
  cpSync(join(LAYOUTS, layout, 'repo'), folder, { recursive: true })
  await commandLine(folder, ['init'])
  return folder
}

async function policyIn(folder: string) {
  return loadPolicy({ file: join(folder, '.kode/policy.yml'), cwd: folder, home: '/home/nobody' })
}

/** The calls of a list that the policy of the folder refuses, with what the agent would be told. */
async function refusedOf(folder: string, calls: readonly string[]) {
  const policy = await policyIn(folder)
  const decide = createDecider(policy, policy.settings.defaultMode)
  const refused: { readonly call: string; readonly message: string }[] = []
  for (const call of calls) {
    const { decision, message } = await decide(parseCall(call))
    if (decision === 'deny') refused.push({ call, message })
  }
  return refused
}

describe('the policy that init writes', () => {
  const counts: string[] = []
  afterAll(() => console.log(`refused of what the author meant:\n${counts.join('\n')}`))

  it.each(sampled(readdirSync(LAYOUTS), 1))('lets the agent do the job in the layout %s', async (layout) => {
    const calls: readonly string[] = parse(readFileSync(join(LAYOUTS, layout, 'calls.yml'), 'utf8'))
    const folder = await initiated(layout)
    const refused = await refusedOf(folder, calls)
    counts.push(`  ${layout}: ${refused.length} of ${calls.length}`)
    expect(calls).toHaveLength(25)
    expect(refused.length, JSON.stringify(refused, null, 2)).toBeLessThanOrEqual(1)

    expect((await refusedOf(folder, NEVER)).map(({ call }) => call)).toEqual(NEVER)
  })
})

type Fresh = {
  readonly files: readonly string[]
  readonly package?: unknown
  readonly check: string
  readonly edits: string
  readonly lines: readonly string[]
}

/** What tells a stack where the name of a file does not. */
const TEXTS: Readonly<Record<string, string>> = {
  'requirements.txt': 'mkdocs\n',
  'tests/test_calc.py': 'import unittest\n',
  'Cargo.toml': '[package]\nname = "a"\n',
  Makefile: 'test:\n\ttrue\n',
}

describe('a project that init was not written with', () => {
  const layouts: Readonly<Record<string, Fresh>> = parse(readFileSync('test/fixtures/freshLayouts.yml', 'utf8'))

  it.each(sampled(Object.keys(layouts), 2))('gets a policy that lets its owner work: %s', async (name) => {
    const { files, check, edits, lines, package: manifest } = layouts[name] as Fresh
    const texts: typeof TEXTS = { ...TEXTS, 'package.json': JSON.stringify(manifest) }
    const folder = makeFiles(Object.fromEntries(files.map((path) => [path, texts[path] ?? ''])))
    await commandLine(folder, ['init'])
    const calls = [...edits.split(' ').map((path) => `Edit(${path})`), ...lines.map((line) => `Bash(${line})`)]
    expect(calls).toHaveLength(25)
    expect(await refusedOf(folder, calls)).toEqual([])
    expect((await policyIn(folder)).settings.checks.commands).toEqual([check])
  })
})
