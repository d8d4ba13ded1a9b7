import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../helpers/bubblewrap.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { bash, edit, type PlayedCall, playRun, read } from '../helpers/runs/playRun.ts'

// The policies that only workflows use are played in `workflows.test.ts`, the browser's in `mcpTools.test.ts`.

type Job = {
  readonly files: Readonly<Record<string, string>>
  readonly turns: readonly PlayedCall[]
  readonly changes: readonly string[]
  /** Programs of the machine, by name. */
  readonly programs?: Readonly<Record<string, string>>
  readonly before?: string
}

const manifest = (dependencies: object) =>
  `${JSON.stringify({ name: 'shop', version: '1.0.0', scripts: { test: 'node test/a.js', lint: 'true' }, dependencies }, null, 2)}\n`

const JOBS: Readonly<Record<string, Job>> = {
  'dependency-update': {
    files: {
      'package.json': manifest({}),
      'test/a.js': "require('left')\n",
      '.npmrc': 'audit=false\nfund=false\nupdate-notifier=false\noffline=true\n',
      '.gitignore': 'node_modules\n',
      'vendor/left/package.json': '{ "name": "left", "version": "1.0.0", "main": "index.js" }\n',
      'vendor/left/index.js': '',
    },
    before: 'npm install --package-lock-only >/dev/null',
    turns: [
      read('package.json'),
      edit('package.json', '"dependencies": {}', '"dependencies": { "left": "file:vendor/left" }'),
      bash('npm install --ignore-scripts'),
      bash('npm test'),
    ],
    changes: ['package-lock.json', 'package.json'],
  },
  'dependency-update-python': {
    files: {
      'pyproject.toml': '[project]\nname = "shop"\n',
      'uv.lock': 'left 1\n',
      'src/shop.py': 'rate = 1\n',
      '.gitignore': '.venv\n',
    },
    // uv itself would ask its registry.
    programs: {
      uv: 'case "$1" in lock) echo "left 2" > uv.lock;; sync) mkdir -p .venv; touch .venv/x;; tree) echo "left 1 -> 2";; run) grep -q "left 2" uv.lock;; esac',
    },
    turns: [bash('uv tree --outdated'), bash('uv lock'), bash('uv sync'), bash('uv run pytest')],
    changes: ['uv.lock'],
  },
  'fix-tests': {
    files: {
      'package.json': manifest({}),
      'src/sum.js': 'exports.sum = (a, b) => a - b\n',
      'test/a.js': "if (require('../src/sum.js').sum(1, 2) !== 3) process.exit(1)\n",
    },
    turns: [
      bash('npm test; git status --short'),
      read('src/sum.js'),
      edit('src/sum.js', 'a - b', 'a + b'),
      bash('npm test'),
      bash('npm run lint'),
      bash('git diff'),
    ],
    changes: ['src/sum.js'],
  },
  'fix-tests-python': {
    files: {
      'src/shop/price.py': 'def price(a):\n    return a - 1\n',
      'tests/test_price.py': '',
      // Stands for the real one, which this machine may lack.
      'pytest.py': 'import sys\nsys.path.insert(0, "src")\nfrom shop.price import price\nsys.exit(price(1) != 2)\n',
    },
    programs: { python: 'exec python3 "$@"' },
    turns: [
      bash('python -m pytest tests/test_price.py'),
      read('src/shop/price.py'),
      edit('src/shop/price.py', 'a - 1', 'a + 1'),
      bash('python -m pytest'),
    ],
    changes: ['src/shop/price.py'],
  },
  'issue-triage': {
    files: { 'README.md': 'shop\n', 'ci/may-close.sh': '#!/bin/sh\nexit 0\n' },
    programs: {
      'github-mcp-server': `exec ${process.execPath} ${resolve('test/helpers/stubMcp.mjs')} tools "$(dirname "$0")/tools.json"`,
    },
    turns: [
      read('README.md'),
      { name: 'mcp__github__get_issue', input: { number: 7 } },
      { name: 'mcp__github__add_labels', input: { number: 7, labels: ['bug'] } },
    ],
    changes: [],
  },
  'review-only': {
    files: { 'src/a.js': 'a\nb\n', 'package.json': manifest({}) },
    turns: [
      bash('git log --oneline && git show --stat'),
      bash('git -C . diff HEAD~1 -- src | head -50'),
      bash('grep -rn b src; wc -l src/*.js'),
      read('src/a.js'),
      { name: 'ReportFinding', input: { file_path: 'src/a.js', line: 2, severity: 'warning', message: 'b is unused' } },
    ],
    changes: [],
  },
}

describe.skipIf(!hasBubblewrap)('a job that is done well ends green under its example (needs bubblewrap)', () => {
  it.each(Object.entries(JOBS))(
    '%s',
    { tags: 'long' },
    async (name, { files, turns, changes, programs = {}, before = 'true' }) => {
      const bin = makeFolder()
      for (const [program, script] of Object.entries(programs)) {
        writeFileSync(join(bin, program), `#!/bin/sh\n${script}\n`)
        chmodSync(join(bin, program), 0o755)
      }
      const names = ['get_issue', 'add_labels']
      const tools = names.map((tool) => ({ name: tool, description: tool, inputSchema: { type: 'object' } }))
      writeFileSync(join(bin, 'tools.json'), JSON.stringify(tools))
      const run = await playRun(turns, {
        args: ['--policy', `.kode/${name}.yml`],
        env: { PATH: `${bin}:${process.env['PATH']}`, GITHUB_TOKEN: 'ghs_test0123456789' },
        files,
        prepare(cwd) {
          mkdirSync(join(cwd, '.kode'), { recursive: true })
          cpSync('examples/policies', join(cwd, '.kode'), { recursive: true })
          const commit = 'git add -A; git -c user.name=a -c user.email=a@b commit -qm start --allow-empty'
          const script = `chmod -R +x ci 2>/dev/null || true; ${before}; git init -q; ${commit}; ${commit}`
          execFileSync('bash', ['-ec', script], { cwd })
        },
      })
      const { exit_reason, permission_denials } = run.result()
      const said = run.stderr + run.told.join('\n')
      expect([run.code, exit_reason, permission_denials], said).toEqual([0, 'completed', []])
      expect(run.result().changes.map(({ path }) => path)).toEqual(changes)
      if (name === 'issue-triage') expect(run.told.join('\n')).toContain('"labels":["bug"]')
      if (changes.includes('package-lock.json'))
        expect(readFileSync(join(run.project, 'package-lock.json'), 'utf8')).toContain('vendor/left')
    },
  )
})
