import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeFolder } from '../helpers/actionRun.ts'
import { lintWorkflow } from '../helpers/lintWorkflow.ts'

const CLI = join(import.meta.dirname, '../../dist/cli.js')

function project(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder('kode-run-init-')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function kodeRun(folder: string, ...args: string[]): string {
  return execFileSync(process.execPath, [CLI, ...args], { cwd: folder, encoding: 'utf8', input: '' })
}

const scripts = JSON.stringify({ scripts: { test: 'vitest run', lint: 'biome check' } })

describe('kode-run init', () => {
  it.each([
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
    { name: 'yarn', files: { 'package.json': scripts, 'yarn.lock': '' }, test: 'yarn test', install: 'yarn install' },
    { name: 'bun', files: { 'package.json': scripts, 'bun.lock': '' }, test: 'bun run test', install: 'bun install' },
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
  ])('fits a project of $name', async ({ name, files, test, install }) => {
    const folder = project(files as unknown as Record<string, string>)
    expect(kodeRun(folder, 'init')).toContain(`Found: ${name}`)
    expect(kodeRun(folder, 'policy', 'check', '.kode/policy.yml')).toContain('good')
    kodeRun(folder, 'policy', 'test', '.kode/policy.yml')
    const policy = parse(readFileSync(join(folder, '.kode/policy.yml'), 'utf8'))
    expect(policy.checks?.commands).toEqual(test === undefined ? undefined : [test])
    if (test !== undefined) expect(policy.permissions.allow).toContain(`Bash(${test})`)
    const workflow = readFileSync(join(folder, '.github/workflows/kode-run.yml'), 'utf8')
    if (install !== undefined) expect(workflow).toContain(install)
    expect(await lintWorkflow(workflow, '.github/workflows/kode-run.yml')).toEqual([])
  })

  it('overwrites nothing', () => {
    const folder = project({ '.kode/policy.yml': 'mine\n' })
    expect(kodeRun(folder, 'init')).toContain('is there, not touched: .kode/policy.yml')
    expect(readFileSync(join(folder, '.kode/policy.yml'), 'utf8')).toBe('mine\n')
    expect(kodeRun(folder, 'init')).not.toContain('written:')
  })
})
