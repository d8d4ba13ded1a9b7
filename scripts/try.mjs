// Runs an example on a copy of its little project: `node scripts/try.mjs [example] [flags of kode-run]`.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const given = process.argv.slice(2)
const name = given[0] === undefined || given[0].startsWith('-') ? 'fix-failing-test' : given.shift()
const flags = given
const example = join(root, 'examples', 'replay', name)
if (!existsSync(join(example, 'replay.yml'))) {
  console.error(`There is no example ${name}: see examples/replay/.`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), `kode-run-${name}-`))
const project = join(folder, 'project')
cpSync(join(example, 'repo'), project, { recursive: true })
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=Example', '-c', 'user.email=example@example.com', ...args], { cwd: project })
git('init', '-q', '-b', 'main')
git('add', '-A')
git('commit', '-qm', 'start')

const summary = join(folder, 'summary.md')
const run = spawnSync(
  process.execPath,
  [
    join(root, 'dist', 'cli.js'),
    ...['--cwd', project, '--policy', join(example, 'policy.yml'), '--prompt-file', join(example, 'prompt.md')],
    ...[
      '--replay',
      join(example, 'replay.yml'),
      '--summary',
      summary,
      '--transcript',
      join(folder, 'transcript.jsonl'),
    ],
    ...flags,
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
)
if (existsSync(summary)) console.log(`\n--- summary (${summary}) ---\n${readFileSync(summary, 'utf8')}`)
console.log(`--- git diff in ${project} ---\n${git('diff')}`)
console.log(`transcript: ${join(folder, 'transcript.jsonl')}\nexit code: ${run.status}`)
process.exitCode = run.status ?? 70
