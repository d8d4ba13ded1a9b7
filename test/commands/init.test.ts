import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandLine } from '../helpers/commandLine.ts'
import { makeFolder } from '../helpers/github/actionRun.ts'
import { lintWorkflow } from '../helpers/github/lintWorkflow.ts'
import { sampled } from '../helpers/sampled.ts'

function project(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder('kode-run-init-')
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
        { name: 'uv', files: { 'pyproject.toml': '', 'uv.lock': '' }, test: 'uv run pytest', install: 'uv sync' },
        { name: 'python', files: { 'requirements.txt': '' }, test: 'python -m pytest', install: 'pip install' },
        { name: 'make', files: { Makefile: 'test:\n' }, test: 'make test', install: undefined },
        { name: 'no known build', files: { 'README.md': '' }, test: undefined, install: undefined },
      ],
      2,
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

  it.each([
    ['git@gitlab.example.com:group/shop.git', '.kode/fix.gitlab-ci.yml', 'include:'],
    ['ssh://git@github.com:22/octo/shop', '.github/workflows/kode-run.yml', 'the secret ANTHROPIC_API_KEY'],
    ['https://dev.azure.com/octo/shop/_git/shop', undefined, 'examples/azure/azure-pipelines.yml'],
    ['https://me@bitbucket.org/octo/shop.git', undefined, 'bitbucket-pipelines.yml'],
    ['/srv/git/shop.git', '.github/workflows/kode-run.yml', 'the secret ANTHROPIC_API_KEY'],
  ])('without a CI file, the host of origin decides: %s', async (origin, pipeline, words) => {
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

  it('a CI file decides before the host of origin', async () => {
    const folder = project({ '.github/workflows/ci.yml': 'on: push\n' })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    execFileSync('git', ['remote', 'add', 'origin', 'https://gitlab.com/octo/shop'], { cwd: folder })
    expect(await kodeRun(folder, 'init')).toContain('written: .github/workflows/kode-run.yml')
  })

  it('asks about a call that its policy denies, and names the folder of tests that is there', async () => {
    const folder = project({ 'pyproject.toml': '[project]\nname = "a"\n', 'tests/test_a.py': '' })
    await kodeRun(folder, 'init')
    const text = readFileSync(join(folder, '.kode/policy.yml'), 'utf8')
    expect(text).toContain('# protect: ["tests/**"] ')
    const [, call = ''] = /policy explain --policy \S+ '(.+)'/.exec(text) ?? []
    expect(await kodeRun(folder, 'policy', 'explain', '--policy', '.kode/policy.yml', call)).toMatch(/denied/i)
  })

  it('overwrites nothing', async () => {
    const folder = project({ '.kode/policy.yml': 'mine\n' })
    expect(await kodeRun(folder, 'init')).toContain('already there, not changed: .kode/policy.yml')
    expect(readFileSync(join(folder, '.kode/policy.yml'), 'utf8')).toBe('mine\n')
    expect(await kodeRun(folder, 'init')).not.toContain('written:')
  })
})
