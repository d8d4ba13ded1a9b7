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

  it('overwrites nothing', async () => {
    const folder = project({ '.kode/policy.yml': 'mine\n' })
    expect(await kodeRun(folder, 'init')).toContain('already there, not changed: .kode/policy.yml')
    expect(readFileSync(join(folder, '.kode/policy.yml'), 'utf8')).toBe('mine\n')
    expect(await kodeRun(folder, 'init')).not.toContain('written:')
  })
})
