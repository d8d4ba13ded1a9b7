import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { shellContext } from '../helpers/shellContext.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-pin-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** `docs/pwned` is in the history, `t` a tag of the folder `docs`. */
function git(...words: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main']
  return execFileSync('git', [...who, ...words], { cwd: root, encoding: 'utf8' }).trim()
}
mkdirSync(join(root, 'docs'))
for (const file of ['a', 'b', 'docs/pwned']) writeFileSync(join(root, file), file)
git('init', '-q')
git('add', '.')
git('commit', '-qm', 'x')
git('tag', 't', 'HEAD:docs')
git('tag', '-am', 'x', 'annotated', 'HEAD:docs')
git('tag', '--create-reflog', 'logged', 'HEAD:docs')
git('stash', 'store', 'HEAD:docs')
const tree = git('rev-parse', '--short', 'HEAD:docs')

const canonicalOf = (text: string): string | null => analyzeCommand(text, shellContext(root)).canonical

test.each([
  ['git checkout main -- a', `'git' 'checkout' 'main^0' '--' 'a'`],
  ['git checkout main gone', `'git' 'checkout' 'main^0' '--' 'gone'`],
  ['git checkout a b', `'git' 'checkout' '--' 'a' 'b'`],
  ['git checkout HEAD~1 a', `'git' 'checkout' 'HEAD~1' '--' 'a'`],
  ['git checkout a', `'git' 'checkout' 'a'`],
  ['git restore -qs main a', `'git' 'restore' '-qs' 'main^0' 'a'`],
  ['git restore --source=main a', `'git' 'restore' '--source=main^0' 'a'`],
  ['git reset main a', `'git' 'reset' 'main^0' '--' 'a'`],
  ['git reset --hard main', `'git' 'reset' '--hard' 'main'`],
  ['git checkout -b x main', `'git' 'checkout' '-b' 'x' 'main'`],
])('%s runs as %s', (text, canonical) => {
  expect(canonicalOf(text)).toBe(canonical)
  expect(canonicalOf(canonical)).toBe(canonical)
})

test.each([
  'git checkout t -- pwned',
  'git checkout t pwned',
  'git checkout annotated pwned',
  `git checkout ${tree} -- pwned`,
  `git checkout ${tree}^{tree} pwned`,
  'git restore --source=t pwned',
  'git restore -SWst pwned',
  'git restore -s HEAD -s t pwned',
  'git reset t pwned; git restore pwned',
  'yes | git checkout -p t',
  'git checkout logged@{0} -- pwned',
  'git checkout logged@{now} pwned',
  'git checkout logged@{0}^{commit} -- pwned',
  'git checkout stash@{0} -- pwned',
  'git restore --source=stash@{0} -SW -- pwned',
  'git restore -slogged@{0} pwned',
  'git reset logged@{0} -- pwned; git restore pwned',
])('%s puts nothing of a folder into the root', (text) => {
  const raw = spawnSync('bash', ['-c', text], { cwd: root })
  expect(existsSync(join(root, 'pwned')), `${raw.stderr}`).toBe(true)
  git('reset', '-q', '--hard')
  rmSync(join(root, 'pwned'), { force: true })
  spawnSync('bash', ['-c', canonicalOf(text) ?? 'true'], { cwd: root })
  expect(existsSync(join(root, 'pwned'))).toBe(false)
})

test('what comes from a commit is taken', () => {
  writeFileSync(join(root, 'a'), 'changed')
  const { status } = spawnSync('bash', ['-c', canonicalOf('git checkout main a') ?? 'false'], { cwd: root })
  expect(status).toBe(0)
  expect(git('status', '--short')).toBe('')
})
