import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EffectsReport } from '../../src/contracts/effects.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { playRun } from '../helpers/runs/playRun.ts'
import { treeOf } from '../helpers/runs/treeOf.ts'

const isRoot = process.getuid?.() === 0
const USER = 65_533
const GROUP = 65_532

const base = makeFolder('user-test-')
// Another user must reach it.
chmodSync(base, 0o755)
if (isRoot && base.startsWith('/tmp/krt-')) chmodSync(dirname(base), 0o755)

type Played = {
  readonly views: { readonly state: string; readonly detail: string }
  readonly results: readonly { readonly report: EffectsReport; readonly stdout: string; readonly stderr: string }[]
}

function makeCheckout(gid = GROUP): string {
  const place = mkdtempSync(join(base, 'place-'))
  const root = join(place, 'checkout')
  mkdirSync(join(place, 'tmp'))
  mkdirSync(join(root, 'src'), { recursive: true })
  mkdirSync(join(root, 'docs'))
  for (const path of ['src/a', 'src/b', 'docs/x', 'README.md']) writeFileSync(join(root, path), `${path}\n`)
  if (isRoot) {
    execFileSync('chown', ['-R', `${USER}:${GROUP}`, place])
    execFileSync('chown', ['-R', `${USER}:${gid}`, root])
  }
  return root
}

/** Plays scripts as a user who is not root: as another one, where this one is. */
function play(root: string, scripts: readonly string[], options: object = {}): Promise<Played> {
  const file = join(import.meta.dirname, '../helpers/effects/effectsChild.ts')
  const node = [process.execPath, '--import', 'tsx', file, JSON.stringify({ roots: [root], scripts, ...options })]
  const user = ['setpriv', '--reuid', String(USER), '--regid', String(GROUP), '--clear-groups']
  const [program = 'node', ...args] = isRoot ? [...user, ...node] : node
  const env = { PATH: process.env['PATH'], HOME: dirname(root), TMPDIR: join(dirname(root), 'tmp') }
  return new Promise((resolve, reject) => {
    execFile(program, args, { env }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as Played)
      else reject(new Error(stderr))
    })
  })
}

const probe = await play(makeCheckout(), []).catch((error: unknown) => ({
  views: { state: 'watched', detail: String(error) },
}))
const isReady = probe.views.state === 'enforced'
const missing = isReady ? '' : ` (needs bubblewrap: ${probe.views.detail})`

describe.skipIf(!isReady)(`a view for a user who is not root${missing}`, () => {
  it('takes over what rules cover, and undoes what they do not', async () => {
    const root = makeCheckout()
    const { views, results } = await play(root, [
      'id -u; id -g; grep CapEff /proc/self/status',
      'echo new > src/a; rm src/b; mkdir -m 500 src/n; rm -r docs && mkdir docs && echo docs/x > docs/x; mkfifo src/f',
      'echo new >> src/a; echo new > README.md',
    ])
    expect(views.detail).toMatch(/^overlay \((?:user|bwrap)\)$/)
    const ids = isRoot ? [USER, GROUP] : [process.getuid?.(), process.getgid?.()]
    expect(results[0]?.stdout).toBe(`${ids.join('\n')}\nCapEff:\t0000000000000000\n`)
    expect(results[1]?.report.kept.map(({ kind }) => kind).sort()).toEqual(['created', 'deleted', 'modified'])
    expect(results[2]?.report.undone.map(({ change }) => change.path)).toEqual([join(root, 'README.md')])
    expect(treeOf(root)).toEqual({
      ...{ 'README.md': 'README.md\n', docs: 'folder', 'docs/x': 'docs/x\n', src: 'folder', 'src/a': 'new\n' },
      'src/n': 'folder',
    })
    expect(lstatSync(join(root, 'src/n')).mode & 0o777).toBe(0o500)
    expect(lstatSync(join(root, 'src/a')).uid).toBe(ids[0])
    expect(readdirSync(dirname(root))).toEqual(['checkout', 'tmp'])
  })

  it('takes over folders that the command locked', async () => {
    const root = makeCheckout()
    const script = 'mkdir -p src/n/m; echo 1 > src/n/m/1; chmod 0 src/n/m; chmod 500 src/n'
    const { results } = await play(root, [`${script}; chmod 0 src`])
    expect(results[0]?.report).toMatchObject({ undone: [{ change: { kind: 'mode', path: join(root, 'src') } }] })
    const again = await play(root, [script])
    expect(again.results[0]?.report).toMatchObject({ undone: [], kept: [{}, {}, {}] })
    expect([lstatSync(join(root, 'src/n')).mode & 0o777, lstatSync(join(root, 'src')).mode & 0o777]).toEqual([
      0o500, 0o755,
    ])
    chmodSync(join(root, 'src/n'), 0o700)
    expect(lstatSync(join(root, 'src/n/m')).mode & 0o777).toBe(0)
    chmodSync(join(root, 'src/n/m'), 0o700)
    expect(readFileSync(join(root, 'src/n/m/1'), 'utf8')).toBe('1\n')
  })

  it('cannot leave its own network namespace', async () => {
    const root = makeCheckout()
    const { views, results } = await play(root, ['cat /proc/net/dev | wc -l; echo new > src/a'], { network: 'none' })
    expect(views.state).toBe('enforced')
    expect(results[0]?.stdout).toBe('3\n')
    expect(readFileSync(join(root, 'src/a'), 'utf8')).toBe('new\n')
  })

  const other = USER - 7
  it.skipIf(!isRoot).each<[layout: string, commands: string]>([
    ['own files of another group', `chown -R ${USER}:${GROUP - 1} .`],
    ['folders of root that the group may write, as fsGroup makes them', 'chown -R root . && chmod -R g+rwXs .'],
    ['another owner, and all may write', `chown -R ${other}:${other} . && chmod -R a+rwX .`],
    ['any owner in the group of root', `chown -R ${other}:0 . && chmod -R a+rwX .`],
    [
      'one foreign file',
      `mkdir -p src/d/e && echo x > src/d/e/f && chown -R ${USER}:${GROUP} src && chown ${other} src/d/e/f`,
    ],
    ['a foreign folder', `mkdir src/d && chown ${other} src/d && chmod 777 src/d`],
  ])('is not used where it cannot hold %s: ordinary work is done (needs root)', async (_, commands) => {
    const root = makeCheckout()
    execFileSync('bash', ['-ec', commands], { cwd: root })
    const { views, results } = await play(root, ['echo hi > src/b.txt; cat src/b.txt; echo more >> src/b.txt'])
    expect(views).toMatchObject({ state: 'watched', detail: expect.stringContaining('a user namespace does not map') })
    expect(results[0]).toMatchObject({ stdout: 'hi\n', stderr: '', report: { state: 'watched' } })
    expect(readFileSync(join(root, 'src/b.txt'), 'utf8')).toBe('hi\nmore\n')
  })

  it.skipIf(!isRoot)(
    'puts back what no rule covers in a file of another owner, which it can only write (needs root)',
    async () => {
      const bash = (command: string) => ({ name: 'Bash', input: { command } })
      const run = await playRun(
        [bash('echo hi > src/b.txt; git add -A; git commit -qm b'), bash('echo no >> docs/d; echo no > docs/n')],
        {
          policy: 'version: 1\npermissions: { allow: [Bash, "Edit(src/**)"] }\n',
          files: { 'src/a': 'a\n', 'docs/d': 'd\n' },
          through: ['setpriv', '--reuid', String(USER), '--regid', String(GROUP), '--clear-groups'],
          prepare(cwd) {
            const identity = 'git config user.name a; git config user.email a@b; git config core.sharedRepository group'
            const own = `cd ..; chown -R ${USER}:${GROUP} .; chown -R root project; chmod -R g+rwX project; chmod 755 . ..`
            execFileSync('bash', ['-ec', `git init -q; ${identity}; git add -A; git commit -qm start; ${own}`], { cwd })
            execFileSync('git', ['config', '--file', '../home/.gitconfig', 'safe.directory', '*'], { cwd })
          },
        },
      )
      expect(run.stderr).toContain('changes watched')
      expect(run.told[1]).toMatch(/^Nothing that this command changed was kept: docs\/d \(modified\)/)
      expect([readFileSync(join(run.project, 'docs/d'), 'utf8'), readdirSync(join(run.project, 'docs'))]).toEqual([
        'd\n',
        ['d'],
      ])
      expect(readFileSync(join(run.project, 'src/b.txt'), 'utf8')).toBe('hi\n')
      expect([run.code, run.result().exit_reason], run.stderr).toEqual([0, 'completed'])
    },
  )
})
