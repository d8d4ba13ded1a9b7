import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RowFolders } from './EffectRow.ts'

/** What stands in files that nobody may read. */
export const SECRET = 'S3CRET-5d1c9a'

/** A small project as they are in CI: tests, ignored folders, a workflow, a secret, two branches. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  'src/a.js': 'export const a = 1\n',
  'src/b.js': 'export const b = 2\n',
  'src/lib/util.js': 'export const util = 3\n',
  'test/a.test.js': "import assert from 'node:assert'\nassert.equal(1, 1)\n",
  ...{ 'docs/guide.md': '# Guide\n', 'docs/api.md': '# API\n', 'docs/deep/page.md': '# Page\n' },
  'package.json':
    '{ "name": "small", "version": "1.0.0", "type": "module", "scripts": { "test": "node test/a.test.js" } }\n',
  'package-lock.json': '{ "name": "small", "lockfileVersion": 3, "packages": {} }\n',
  'README.md': '# Small\n',
  Makefile: 'all:\n\t@echo built > docs/guide.md\n\nsafe:\n\t@echo built > src/made.js\n',
  'scripts/tool.sh': '#!/bin/sh\necho tool\n',
  '.github/workflows/ci.yml': 'on: push\n',
  '.gitignore': 'node_modules/\ndist/\ncoverage/\n__pycache__/\n*.log\n.env\n.cache/\n',
  '.env': `TOKEN=${SECRET}\n`,
  ...{ 'conf/public.yml': 'a: 1\n', 'node_modules/dep/index.js': 'export default 1\n' },
  ...{ 'node_modules/dep/package.json': '{ "name": "dep" }\n', 'dist/old.js': 'old\n' },
}

let template: string | undefined

/** A project, a home and a folder beside them, in a new folder. */
export function makeProject(files: Readonly<Record<string, string>> = {}): RowFolders {
  template ??= makeTemplate()
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-effects-')))
  cpSync(template, base, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  const folders = { base, project: join(base, 'project'), home: join(base, 'home'), outside: join(base, 'outside') }
  writeFiles(folders.project, files)
  return folders
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Git in a project, as its owner ran it. */
export function gitIn(project: string, ...words: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main']
  return execFileSync('git', [...identity, '-C', project, ...words], { encoding: 'utf8', stdio: 'pipe' })
}

function makeTemplate(): string {
  const base = mkdtempSync(join(tmpdir(), 'kode-run-template-'))
  const project = join(base, 'project')
  writeFiles(project, PROJECT_FILES)
  chmodSync(join(project, 'scripts/tool.sh'), 0o755)
  mkdirSync(join(base, 'tmp'))
  writeFiles(base, { 'outside/keep.txt': 'keep\n', 'home/notes.txt': `${SECRET}\n` })
  gitIn(project, 'init', '-q')
  // A copy of the project is as fresh to git as the project is.
  gitIn(project, 'config', 'core.checkStat', 'minimal')
  gitIn(project, 'config', 'core.trustctime', 'false')
  commit(project, 'one')
  gitIn(project, 'switch', '-qc', 'outside')
  writeFiles(project, { 'docs/guide.md': '# Guide\n\nOther\n', 'src/a.js': 'export const a = 10\n' })
  commit(project, 'outside')
  gitIn(project, 'switch', '-qc', 'inside', 'main')
  writeFiles(project, { 'src/b.js': 'export const b = 20\n', 'src/only.js': 'export const only = 1\n' })
  commit(project, 'inside')
  gitIn(project, 'switch', '-q', 'main')
  gitIn(project, 'tag', 'v1')
  if (!existsSync(join(project, '.env'))) writeFiles(project, { '.env': PROJECT_FILES['.env'] ?? '' })
  return base
}

function commit(project: string, message: string): void {
  gitIn(project, 'add', '-A')
  gitIn(project, 'commit', '-qm', message)
}
