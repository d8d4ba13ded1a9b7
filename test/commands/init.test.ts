import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandLine } from '../helpers/commandLine.ts'
import { lintWorkflow } from '../helpers/github/lintWorkflow.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampled } from '../helpers/sampled.ts'

function project(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function kodeRun(folder: string, ...args: string[]): Promise<string> {
  return kodeRunWith({}, folder, ...args)
}

async function kodeRunWith(env: Readonly<Record<string, string>>, folder: string, ...args: string[]): Promise<string> {
  const environment: Record<string, string | undefined> = { ...process.env, ...env }
  const { out } = await commandLine(folder, args, { environment, home: environment['HOME'] ?? '/' })
  return out
}

const scripts = JSON.stringify({ scripts: { test: 'vitest run', lint: 'biome check' } })

describe('kode-run init', () => {
  it.each(
    sampled(
      [
        {
          name: 'npm',
          files: { 'package.json': scripts, 'package-lock.json': '{}', 'src/a.js': '' },
          test: 'npm test',
          install: 'npm ci',
        },
        {
          name: 'pnpm',
          files: { 'package.json': scripts, 'pnpm-lock.yaml': '' },
          test: 'pnpm test',
          install: 'pnpm install',
        },
        {
          name: 'yarn',
          files: { 'package.json': scripts, 'yarn.lock': '' },
          test: 'yarn test',
          install: 'yarn install',
        },
        {
          name: 'bun',
          files: { 'package.json': scripts, 'bun.lock': '' },
          test: 'bun run test',
          install: 'bun install',
        },
        {
          name: 'go',
          files: { 'go.mod': 'module x\n', 'cmd/a.go': '' },
          test: 'go test ./...',
          install: 'go mod download',
        },
        { name: 'cargo', files: { 'Cargo.toml': '' }, test: 'cargo test', install: 'cargo fetch' },
        {
          name: 'uv',
          files: { 'pyproject.toml': '[tool.pytest]\n', 'uv.lock': '' },
          test: 'uv run pytest',
          install: 'uv sync',
        },
        { name: 'python', files: { 'requirements.txt': 'pytest\n' }, test: 'python -m pytest', install: 'pip install' },
        { name: 'make', files: { Makefile: 'test:\n' }, test: 'make test', install: undefined },
        { name: 'no known build', files: { 'README.md': '' }, test: undefined, install: undefined },
      ],
      1,
    ),
  )('fits a project of $name', async ({ name, files, test, install }) => {
    const folder = project(files as unknown as Record<string, string>)
    expect(await kodeRun(folder, 'init')).toContain(`Found: ${name}`)
    expect(await kodeRun(folder, 'policy', 'check', '.kode/policy.yml')).toContain('good')
    await kodeRun(folder, 'policy', 'test', '.kode/policy.yml')
    const policy = parse(readFileSync(join(folder, '.kode/policy.yml'), 'utf8'))
    expect(policy.checks?.commands).toEqual(test === undefined ? undefined : [test])
    expect(policy.permissions.allow[0]).toBe('Bash')
    expect(policy.sandbox.mode).toBe('required')
    const workflow = readFileSync(join(folder, '.github/workflows/kode-run.yml'), 'utf8')
    if (install !== undefined) expect(workflow).toContain(install)
    expect(await lintWorkflow(workflow, '.github/workflows/kode-run.yml')).toEqual([])
  })

  it('allows the registries that the machine is configured with, and shows settings without credentials', async () => {
    const folder = project({ 'package.json': scripts, '.npmrc': '@a:registry=https://scoped.example.test/npm/\n' })
    const home = project({
      '.npmrc': 'registry=https://me:pw@npm.example.test:8443/x/\n//npm.example.test/:_authToken=CANARY\n',
      '.config/pip/pip.conf': '[global]\nindex-url = http://pip.example.test/simple\n',
      '.cargo/config.toml': '[source.mirror]\nregistry = "sparse+https://cargo.example.test/index/"\n',
    })
    await kodeRunWith(
      { HOME: home, GOPROXY: 'https://go.example.test,direct', PIP_INDEX_URL: '', npm_config_registry: '' },
      folder,
      'init',
    )
    const text = readFileSync(join(folder, '.kode/policy.yml'), 'utf8')
    expect(text).not.toMatch(/CANARY|me:pw/)
    const { sandbox } = parse(text)
    expect(sandbox).toEqual({
      mode: 'required',
      network: 'allowlist',
      allow: ['cargo', 'go', 'npm', 'pip', 'scoped'].map(
        (name) => `${name}.example.test:${{ npm: 8443, pip: 80 }[name] ?? 443}`,
      ),
      readable: ['~/.config/pip/pip.conf'],
    })
    expect(await kodeRun(folder, 'policy', 'check', '.kode/policy.yml')).toContain('good')
  })

  it("asks the project's package manager if nothing is configured", async () => {
    const folder = project({ 'go.mod': 'module x\n' })
    const programs = project({ go: '#!/bin/sh\necho https://proxy.example.test,direct\necho sum.example.test\n' })
    chmodSync(join(programs, 'go'), 0o755)
    const environment = { HOME: programs, GOPROXY: '', PATH: `${programs}:${process.env['PATH']}` }
    await kodeRunWith(environment, folder, 'init')
    const { sandbox } = parse(readFileSync(join(folder, '.kode/policy.yml'), 'utf8'))
    expect(sandbox.allow).toEqual(['proxy.example.test:443', 'sum.example.test:443'])
  })

  it.each(
    sampled(
      [
        ['git@gitlab.example.com:group/shop.git', '.kode/fix.gitlab-ci.yml', 'include:'],
        ['ssh://git@github.com:22/octo/shop', '.github/workflows/kode-run.yml', 'the secret ANTHROPIC_API_KEY'],
        ['https://dev.azure.com/octo/shop/_git/shop', undefined, 'examples/azure/azure-pipelines.yml'],
        ['https://me@bitbucket.org/octo/shop.git', undefined, 'bitbucket-pipelines.yml'],
        ['/srv/git/shop.git', '.github/workflows/kode-run.yml', 'the secret ANTHROPIC_API_KEY'],
      ],
      0,
    ),
  )('without a CI file, the host of origin decides: %s', async (origin, pipeline, words) => {
    const folder = project({ 'package.json': scripts })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    execFileSync('git', ['remote', 'add', 'origin', origin], { cwd: folder })
    const out = await kodeRun(folder, 'init')
    const written = [...out.matchAll(/written: (\S+)/g)].map(([, path]) => path)
    expect(written).toEqual(['.kode/policy.yml', ...(pipeline === undefined ? [] : [pipeline])])
    expect(out).toContain(words)
    expect(/^outputs:/m.test(readFileSync(join(folder, '.kode/policy.yml'), 'utf8'))).toBe(
      pipeline?.startsWith('.github/') ?? false,
    )
  })

  it('a Jenkinsfile decides too, and a run there is content with Landlock', { tags: 'long' }, async () => {
    const folder = project({ 'package.json': scripts, Jenkinsfile: 'pipeline {}\n' })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    execFileSync('git', ['remote', 'add', 'origin', 'https://gitlab.com/octo/shop'], { cwd: folder })
    const out = await kodeRun(folder, 'init')
    expect(out).not.toContain('.gitlab-ci.yml')
    expect(out).toContain('start from examples/jenkins/Jenkinsfile of kode-run')
    const { sandbox } = parse(readFileSync(join(folder, '.kode/policy.yml'), 'utf8'))
    expect(sandbox).toMatchObject({ mode: 'required', wall: 'landlock' })
  })

  it('a CI file decides before the host of origin', async () => {
    const folder = project({ '.github/workflows/ci.yml': 'on: push\n' })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    execFileSync('git', ['remote', 'add', 'origin', 'https://gitlab.com/octo/shop'], { cwd: folder })
    expect(await kodeRun(folder, 'init')).toContain('written: .github/workflows/kode-run.yml')
  })

  it('asks about a call that its policy denies, and names the folder of tests that is there', {
    tags: 'long',
  }, async () => {
    const folder = project({ 'pyproject.toml': '[project]\nname = "a"\n', 'tests/test_a.py': '' })
    await kodeRun(folder, 'init')
    const text = readFileSync(join(folder, '.kode/policy.yml'), 'utf8')
    expect(text).toContain('# protect: ["tests/**"] ')
    const [, call = ''] = /policy explain --policy \S+ '(.+)'/.exec(text) ?? []
    expect(await kodeRun(folder, 'policy', 'explain', '--policy', '.kode/policy.yml', call)).toMatch(/denied/i)
  })

  it.each([
    ['npm', { Gemfile: '', 'package.json': '{}' }, 'bundler'],
    ['go', { 'go.mod': 'module x\n' }, 'go'],
  ])('says of which package manager it knows no registry: %s', async (_name, files, unknown) => {
    const folder = project(files as unknown as Record<string, string>)
    const out = await kodeRunWith({ HOME: folder, GOPROXY: '', PATH: '/nowhere' }, folder, 'init', 'nightly')
    expect(out).toContain(`${unknown} is known here: name its hosts under sandbox.allow`)
    const text = readFileSync(join(folder, '.kode/nightly.yml'), 'utf8')
    expect(text).toContain(
      `# No registry of ${unknown} is known here: without its hosts, ${unknown} can install nothing.`,
    )
  })

  it.each([
    ['review', 'Found: npm.\n│ Commands may reach'],
    ['triage', 'Found: npm.\n│ Review both files'],
  ])('names no check where the policy has none: %s', async (job, words) => {
    const folder = project({ 'package.json': scripts, '.npmrc': 'registry=https://npm.example.test/\n' })
    expect(await kodeRun(folder, 'init', job)).toContain(words)
  })

  it.each(
    sampled(
      [
        [[], 'uses: kode-run/kode-run@v0', 'npx --yes kode-run@0.1 apply', true],
        [
          ['--use', '0a1b2c3'],
          'uses: kode-run/kode-run@0a1b2c3',
          'npx --yes github:kode-run/kode-run#0a1b2c3 apply',
          false,
        ],
        [['--use', 'octo/fork@main'], 'uses: octo/fork@main', 'npx --yes github:octo/fork#main apply', false],
        [['--use', './tools/kode-run'], 'uses: ./tools/kode-run\n', 'run: npm ci --prefix ./tools/kode-run', false],
      ] as const,
      0,
    ),
  )('takes kode-run from where it can be had: %j', async (flags, action, command, isNoted) => {
    const folder = project({ 'package.json': scripts })
    await kodeRun(folder, 'init', ...flags)
    const workflow = readFileSync(join(folder, '.github/workflows/kode-run.yml'), 'utf8')
    expect(workflow).toContain(action)
    expect(workflow).toContain(command)
    expect(workflow.includes('It needs a release of kode-run. Before the first one:')).toBe(isNoted)
    expect(await lintWorkflow(workflow, '.github/workflows/kode-run.yml')).toEqual([])
    const gitLab = project({ 'package.json': scripts, '.gitlab-ci.yml': '' })
    await kodeRun(gitLab, 'init', ...flags)
    const job = readFileSync(join(gitLab, '.kode/fix.gitlab-ci.yml'), 'utf8')
    expect(job).toContain(command.replace(/^run: | apply$/g, ''))
  })

  it.each(
    sampled(
      [
        ['.gitlab-ci.yml', true],
        ['.github/workflows/ci.yml', false],
      ],
      0,
    ),
  )('takes Landlock for enough where jobs run in containers: %s', async (ci, isEnough) => {
    const folder = project({ 'package.json': scripts, [ci]: '' })
    await kodeRun(folder, 'init', 'nightly')
    const policy = readFileSync(join(folder, '.kode/nightly.yml'), 'utf8')
    expect(policy).toContain('mode: required')
    expect(policy.includes('wall: landlock')).toBe(isEnough)
  })

  it('refuses a source that is none', async () => {
    await expect(kodeRun(project({}), 'init', '--use', 'a b')).rejects.toMatchObject({ reason: 'usage' })
  })

  it('overwrites nothing', async () => {
    const folder = project({ '.kode/policy.yml': 'mine\n' })
    expect(await kodeRun(folder, 'init')).toContain('already there, not changed: .kode/policy.yml')
    expect(readFileSync(join(folder, '.kode/policy.yml'), 'utf8')).toBe('mine\n')
    expect(await kodeRun(folder, 'init')).not.toContain('written:')
  })
})
