import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PathChange } from '../src/contracts/effects.ts'
import { createJudge } from '../src/effects/judge/createJudge.ts'
import { openAccount } from '../src/effects/openAccount.ts'
import { openCheckout } from '../src/effects/openCheckout.ts'
import { viewStates } from '../src/effects/view/applyView.ts'
import { openCheckoutWatch } from '../src/effects/watch/openCheckoutWatch.ts'
import { createGitRunner } from '../src/git/own/ownGit.ts'

/** How long it takes to judge what commands change, and to keep account of it: `node --import tsx scripts/measureEffects.ts`. */
const PATH = process.env['PATH'] ?? ''
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'measure-')))
const root = join(folder, 'checkout')
const upper = join(folder, 'upper')

function sh(script: string, cwd = root): void {
  execFileSync('bash', ['-ec', script], { cwd, env: { PATH, HOME: folder }, stdio: 'pipe' })
}

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < 7; i++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  console.log(`${name}: ${times[3]?.toFixed(1)} ms (best ${times[0]?.toFixed(1)})`)
}

const runGit = createGitRunner(PATH)
const effects = { access: 'write', mayChangeGit: true, by: 'x' } as const
const PROTECTED = /\/(?:\.git(?:\/|modules$|attributes$|$)|\.github(?:\/|$)|\.npmrc$)/
const judge = () =>
  createJudge({
    checkout: openCheckout([root]),
    writable: [],
    ruled: (path) => ({ behavior: path.startsWith(`${root}/src/`) ? 'allow' : 'ask' }),
    isProtected: (path) => PROTECTED.test(path),
    never: () => undefined,
    git: { runGit, folder: join(folder, 'own') },
  })

function created(base: string, count: number): PathChange[] {
  const changes: PathChange[] = []
  for (let i = 0; i < count; i++) {
    if (i % 20 === 0) changes.push({ path: join(root, base, `p${i / 20}`), kind: 'created', entry: 'folder' })
    changes.push({ path: join(root, base, `p${Math.floor(i / 20)}`, `f${i}.js`), kind: 'created', entry: 'file' })
  }
  return changes
}

try {
  mkdirSync(join(root, 'src'), { recursive: true })
  mkdirSync(upper)
  for (let i = 0; i < 5000; i++) {
    if (i % 50 === 0) mkdirSync(join(root, 'src', `d${i / 50}`))
    writeFileSync(join(root, 'src', `d${Math.floor(i / 50)}`, `f${i}.ts`), `export const a = ${i}\n`.repeat(40))
  }
  sh('git init -q; echo node_modules > .gitignore; git add -A; git -c user.name=a -c user.email=a@b commit -qm start')
  const states = viewStates([{ lower: root, upper }])
  for (const [name, base] of [
    ['ignored', 'node_modules'],
    ['covered', 'src/new'],
    ['refused', 'docs'],
  ] as const) {
    const changes = [{ path: join(root, base), kind: 'created', entry: 'folder' } as const, ...created(base, 10_000)]
    const ask = judge()
    await measure(`judge 10,000 ${name} files`, () => ask(changes, { effects, states }))
  }
  const ask = judge()
  const one = [{ path: join(root, 'src/d0/f0.ts'), kind: 'modified', entry: 'file' } as const]
  await measure('judge one changed file of 5,000', () => ask(one, { effects, states }))
  mkdirSync(join(upper, '.git'))
  sh(
    'touch src/d0/f0.ts; cp .git/index ../index; git status -s >/dev/null; mv .git/index ../upper/.git/index; mv ../index .git/index',
  )
  const index = [{ path: join(root, '.git/index'), kind: 'modified', entry: 'file' } as const]
  await measure('judge a refreshed index of 5,000', () => ask(index, { effects, states }))
  await measure('begin an account of 5,000 files', async () => {
    const account = openAccount({ checkout: openCheckout([root]), top: root, folder: join(folder, 'images'), runGit })
    await account.before(join(root, 'src/d0/f0.ts'))
    await account.close()
  })
  const account = openAccount({ checkout: openCheckout([root]), top: root, folder: join(folder, 'images'), runGit })
  const paths = Array.from({ length: 100 }, (_, i) => join(root, 'src/d0', i < 50 ? `f${i}.ts` : `n${i}.ts`))
  await measure('first images of 100 files', async () => Promise.all(paths.map((path) => account.before(path))))
  for (const path of paths) writeFileSync(path, 'other\n')
  await account.after(
    paths.map((path) => ({ path })),
    'x',
  )
  await measure('report and patch of 100 files', () => account.report())
  await account.close()
  const begin = performance.now()
  const watch = openCheckoutWatch({
    checkout: openCheckout([root]),
    judge: ask,
    account,
    folder: join(folder, 'kept'),
    runGit,
    isProtected: () => false,
    isForbidden: () => false,
  })
  await (await watch.watch(effects)).settle()
  console.log(`first watch of 5,000 files, with all images: ${(performance.now() - begin).toFixed(0)} ms`)
  await measure('each further watch', async () => (await watch.watch(effects)).settle())
  for (let i = 0; i < 20_000; i++) {
    if (i % 20 === 0) mkdirSync(join(root, 'node_modules', `p${i / 20}`), { recursive: true })
    writeFileSync(join(root, 'node_modules', `p${Math.floor(i / 20)}`, `f${i}.js`), '')
  }
  await measure('the same beside 20,000 ignored files', async () => (await watch.watch(effects)).settle())
} finally {
  rmSync(folder, { recursive: true })
}
