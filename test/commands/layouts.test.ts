import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { initJobs } from '../../src/commands/init/initJobs.ts'
import { createDecider } from '../../src/commands/policy/createDecider.ts'
import { parseCall } from '../../src/commands/policy/parseCall.ts'
import { lintPolicy } from '../../src/policy/lint/lintPolicy.ts'
import { loadPolicy } from '../../src/policy/load/loadPolicy.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { lintWorkflow } from '../helpers/github/lintWorkflow.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampled } from '../helpers/sampled.ts'

const LAYOUTS = 'test/fixtures/layouts'

/** What `init` finds by the manifests, the check that it writes, and hosts that only a manifest names. */
const FOUND: Readonly<Record<string, readonly [found: string, checks: readonly string[], hosts?: readonly string[]]>> =
  {
    cargo: ['cargo', ['cargo test']],
    'cargo-workspace': ['cargo with client, server, shared/wire', ['cargo test --workspace']],
    docs: ['no known build', []],
    gitlab: ['npm', ['npm test']],
    'go-cmd': ['go; make', ['go test ./...']],
    'go-root': ['go', ['go test ./...']],
    gradle: ['gradle', ['./gradlew test']],
    just: ['just', ['just test']],
    'make-c': ['make', ['make check']],
    mixed: ['python in api; npm in web', ['cd api && python -m pytest', 'cd web && npm test']],
    'node-flat': ['npm', ['npm test']],
    npm: ['npm', ['npm test'], ['npm.example.com:443']],
    'npm-workspaces': ['npm with packages/cli, packages/core, tools/release', ['npm test']],
    pnpm: ['pnpm with apps/web, libs/ui/button', ['pnpm test']],
    poetry: ['poetry', ['poetry run pytest'], ['mirror.example.com:443']],
    'python-flat': ['python', ['python -m pytest'], ['pip.example.com:443']],
    'python-libs': ['uv with libs/money, services/api; make', ['uv run pytest']],
    uv: ['uv', ['uv run pytest'], ['pypi.example.com:443']],
    yarn: ['yarn with modules/ledger', ['yarn test'], ['yarn.example.com:443']],
  }

/** Layouts whose workflows have all that a workflow of `init` may have. */
const LINTED = ['docs', 'mixed', 'npm']

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

/** A copy of the layout's repository with what `init` wrote into it, and what it said. */
async function initiated(layout: string, ...args: readonly string[]) {
  const folder = makeFolder(`kode-run-${layout}-`)
  cpSync(join(LAYOUTS, layout, 'repo'), folder, { recursive: true })
  const { out } = await commandLine(folder, ['init', ...args])
  return { folder, out }
}

async function policyIn(folder: string, name = 'policy') {
  return loadPolicy({ file: join(folder, `.kode/${name}.yml`), cwd: folder, home: '/home/nobody' })
}

/** The calls of a list that the policy of the folder refuses, with what the agent would be told. */
async function refusedOf(folder: string, calls: readonly string[], name?: string) {
  const policy = await policyIn(folder, name)
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
    const { folder, out } = await initiated(layout)
    const refused = await refusedOf(folder, calls)
    counts.push(`  ${layout}: ${refused.length} of ${calls.length}`)
    expect(calls).toHaveLength(25)
    expect(refused.length, JSON.stringify(refused, null, 2)).toBeLessThanOrEqual(1)

    expect((await refusedOf(folder, NEVER)).map(({ call }) => call)).toEqual(NEVER)

    const [found, checks, hosts = []] = FOUND[layout] ?? ['?', []]
    expect(out).toContain(`Found: ${found};`)
    const policy = await policyIn(folder)
    expect(policy.settings.checks.commands).toEqual(checks)
    expect(policy.settings.sandbox.allow).toEqual(expect.arrayContaining([...hosts]))
    expect(lintPolicy(policy)).toEqual([])
    const { code, out: tested } = await commandLine(folder, ['policy', 'test', '.kode/policy.yml'])
    expect(code, tested).toBe(0)
  })

  it.each(sampled(readdirSync(LAYOUTS), 0, 10))('fits each job in the layout %s', async (layout) => {
    const isGitLab = existsSync(join(LAYOUTS, layout, 'repo/.gitlab-ci.yml'))
    for (const { name, mayEdit, mayRun } of initJobs) {
      const { folder, out } = await initiated(layout, name)
      const file = name === 'fix' ? 'policy' : name
      const policy = await policyIn(folder, file)
      expect(lintPolicy(policy), name).toEqual([])
      const { code, out: tested } = await commandLine(folder, ['policy', 'test', `.kode/${file}.yml`])
      expect(code, tested).toBe(0)
      const calls = ['Edit(README.md)', 'Bash(make)', 'Read(README.md)', 'Bash(git log -3)']
      const refused = (await refusedOf(folder, calls, file)).map(({ call }) => call)
      expect(refused, name).toEqual([...(mayEdit ? [] : ['Edit(README.md)']), ...(mayRun ? [] : ['Bash(make)'])])
      if (!isGitLab && LINTED.includes(layout)) {
        const path = `.github/workflows/kode-run${name === 'fix' ? '' : `-${name}`}.yml`
        expect(await lintWorkflow(readFileSync(join(folder, path), 'utf8'), path)).toEqual([])
      }
      expect(out).toMatch(new RegExp(`First run, on this machine: .*kode-run --policy \\.kode/${file}\\.yml "`))
    }
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
    const folder = makeFolder(`kode-run-${name}-`)
    for (const path of files) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), path === 'package.json' ? JSON.stringify(manifest) : (TEXTS[path] ?? ''))
    }
    await commandLine(folder, ['init'])
    const calls = [...edits.split(' ').map((path) => `Edit(${path})`), ...lines.map((line) => `Bash(${line})`)]
    expect(calls).toHaveLength(25)
    expect(await refusedOf(folder, calls)).toEqual([])
    expect((await policyIn(folder)).settings.checks.commands).toEqual([check])
  })
})

describe('kode-run init in a GitLab project', () => {
  it('writes a job to include instead of a workflow', async () => {
    const { folder, out } = await initiated('gitlab', 'review')
    expect(existsSync(join(folder, '.github'))).toBe(false)
    expect(out).toContain('include: [{ local: .kode/review.gitlab-ci.yml }]')
    const job = parse(readFileSync(join(folder, '.kode/review.gitlab-ci.yml'), 'utf8'))['kode-run-review']
    expect(job.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }])
    expect(job.before_script.at(-1)).toBe('npm ci')
    expect(job.script.at(-1)).toContain(
      '--policy .kode/review.yml --policy-ref "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"',
    )
    // There is no job that would do what it proposes.
    expect(readFileSync(join(folder, '.kode/review.yml'), 'utf8')).not.toContain('outputs:')
  })
})

describe('kode-run init with an unreadable manifest', () => {
  it.each(
    sampled(
      [
        ['npm', 'package.json', '{ "scripts": '],
        ['pnpm', 'pnpm-workspace.yaml', 'packages: [\n'],
        ['uv', 'pyproject.toml', '[project\n'],
        ['cargo', 'Cargo.toml', 'name = \n'],
      ],
      1,
    ),
  )('names the file: %s, %s', async (layout, file, text) => {
    const { folder } = await initiated(layout)
    writeFileSync(join(folder, file), text)
    await expect(commandLine(folder, ['init'])).rejects.toMatchObject({
      reason: 'bad_input',
      message: expect.stringContaining(`${file}: `),
    })
  })
})

describe('kode-run init JOB', () => {
  it('lists the valid names for an unknown one', async () => {
    await expect(commandLine(tmpdir(), ['init', 'reviw'])).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('choose from fix, review, nightly, triage'),
    })
  })
})
