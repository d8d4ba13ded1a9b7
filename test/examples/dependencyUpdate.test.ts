import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { playRun } from '../helpers/runs/playRun.ts'

const MANIFEST = { name: 'shop', version: '1.0.0', scripts: { test: 'node test.js' }, dependencies: {} }
const hasBubblewrap = spawnSync('bwrap', ['--ro-bind', '/', '/', '--proc', '/proc', 'true']).status === 0

it.skipIf(!hasBubblewrap)(
  'an update of a dependency ends green under the example (needs bubblewrap)',
  { tags: 'long' },
  async () => {
    const text = `${JSON.stringify(MANIFEST, null, 2)}\n`
    const run = await playRun(
      [
        { name: 'Read', input: { file_path: 'package.json' } },
        {
          name: 'Edit',
          input: {
            ...{ file_path: 'package.json', old_string: '"dependencies": {}' },
            new_string: '"dependencies": { "left": "file:vendor/left" }',
          },
        },
        { name: 'Bash', input: { command: 'npm install --ignore-scripts' } },
        { name: 'Bash', input: { command: 'npm test' } },
      ],
      {
        args: ['--policy', '.kode/dependency-update.yml'],
        files: {
          'package.json': text,
          'test.js': "require('left')\n",
          '.npmrc': 'audit=false\nfund=false\nupdate-notifier=false\noffline=true\n',
          '.gitignore': 'node_modules\n',
          'vendor/left/package.json': '{ "name": "left", "version": "1.0.0", "main": "index.js" }\n',
          'vendor/left/index.js': '',
        },
        prepare(cwd) {
          cpSync('examples/policies', join(cwd, '.kode'), { recursive: true })
          const commit = 'git add -A; git -c user.name=a -c user.email=a@b commit -qm start'
          execFileSync('bash', ['-ec', `npm install --package-lock-only >/dev/null; git init -q; ${commit}`], { cwd })
        },
      },
    )
    expect([run.code, run.result().exit_reason, run.result().permission_denials], run.stderr).toEqual([
      0,
      'completed',
      [],
    ])
    expect(run.result().changes.map(({ path }) => path)).toEqual(['package-lock.json', 'package.json'])
    expect(readFileSync(join(run.project, 'package-lock.json'), 'utf8')).toContain('vendor/left')
  },
)
