import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { gitAt } from '../helpers/git.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const CLI = resolve('dist/cli.js')

/** A layout as a repository of its own, with what `init` wrote committed, as it says. */
function committed(layout: string): string {
  const folder = makeFolder()
  const git = gitAt(folder)
  cpSync(join('test/fixtures/layouts', layout, 'repo'), folder, { recursive: true })
  execFileSync(process.execPath, [CLI, 'init'], { cwd: folder, env: { ...process.env, HOME: folder } })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  return folder
}

/** A run under the policy of `init`, of a model that makes these calls: what was denied, and the subject of the last commit. */
function run(folder: string, commands: readonly string[]) {
  const state = makeFolder()
  const turns = [
    ...commands.map((command) => ({ tool: 'Bash', input: { command } })),
    { tool: 'Finish', input: { status: 'completed', summary: 'done' } },
  ]
  writeFileSync(join(state, 'replay.yml'), stringify(turns))
  const flags = [`--replay=${state}/replay.yml`, `--transcript=${state}/t.jsonl`, '--output-format=json']
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, '--policy', '.kode/policy.yml', ...flags, 'do it'], {
    cwd: folder,
    encoding: 'utf8',
    input: '',
    env: { ...process.env, HOME: state, XDG_STATE_HOME: state },
  })
  const result = stdout.startsWith('{') ? JSON.parse(stdout) : { exit_reason: stderr }
  const subject = execFileSync('git', ['log', '-1', '--format=%s'], { cwd: folder, encoding: 'utf8' }).trim()
  return { reason: result.exit_reason, denied: result.permission_denials, subject }
}

describe.skipIf(spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status !== 0)(
  'a run under the policy that init writes (needs bubblewrap)',
  () => {
    it('edits, installs, tests and commits in a project of npm', { tags: 'long' }, () => {
      const folder = committed('node-flat')
      const { reason, denied, subject } = run(folder, [
        'npm install --no-audit --no-fund --offline && ls package-lock.json',
        "sed -i 's/a + b/b + a/' index.js && mkdir -p test && mv test.js test/index.js",
        "sed -i 's#test.js#test/index.js#' package.json && sed -i 's#./index.js#../index.js#' test/index.js && sed -i 's/^export //' index.js",
        'npm test',
        'git checkout -q -b mend && git add -A && git commit -q -m "Mend it" && git status --short',
        'curl -sS -m 5 http://127.0.0.1:9 || true',
      ])
      expect([reason, denied, subject]).toEqual(['completed', [], 'Mend it'])
      expect(existsSync(join(folder, 'package-lock.json'))).toBe(true)
    })

    it('does not change files that only people change', { tags: 'long' }, () => {
      const folder = committed('npm')
      const workflow = readFileSync(join(folder, '.github/workflows/kode-run.yml'), 'utf8')
      const { denied } = run(folder, [
        'echo "# x" >> .github/workflows/kode-run.yml',
        'sed -i s/required/off/ .kode/policy.yml',
        'echo trust >> AGENTS.md',
        'git config core.hooksPath /tmp',
      ])
      expect(denied).toHaveLength(4)
      expect(readFileSync(join(folder, '.github/workflows/kode-run.yml'), 'utf8')).toBe(workflow)
      expect(readFileSync(join(folder, '.kode/policy.yml'), 'utf8')).toContain('mode: required')
    })
  },
)
