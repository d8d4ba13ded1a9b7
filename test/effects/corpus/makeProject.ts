import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from '../../helpers/effects/makeFiles.ts'
import type { RowFolders } from './EffectRow.ts'

/** What stands in files that nobody may read. */
export const SECRET = 'S3CRET-5d1c9a'

/** A small project as they are in CI: tests, ignored folders, a workflow, a secret, two branches. */
const PROJECT_FILES: Readonly<Record<string, string>> = {
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

/** Two branches beside `main`; a copy of the project is as fresh to git as the project is. */
const REPOSITORY = `
git() { command git -c user.name=a -c user.email=a@example.com "$@"; }
chmod 755 scripts/tool.sh
git init -qb main
git config core.checkStat minimal
git config core.trustctime false
git add -A; git commit -qm one; git tag v1
git switch -qc outside
printf '# Guide\n\nOther\n' > docs/guide.md; echo 'export const a = 10' > src/a.js
git commit -qam outside
git switch -qc inside main
echo 'export const b = 20' > src/b.js; echo 'export const only = 1' > src/only.js
git add -A; git commit -qm inside
git switch -q main
`

function makeTemplate(): string {
  const base = mkdtempSync(join(tmpdir(), 'kode-run-template-'))
  const project = join(base, 'project')
  writeFiles(project, PROJECT_FILES)
  writeFiles(base, { 'tmp/': '', 'outside/keep.txt': 'keep\n', 'home/notes.txt': `${SECRET}\n` })
  execFileSync('bash', ['-ec', REPOSITORY], { cwd: project })
  return base
}
