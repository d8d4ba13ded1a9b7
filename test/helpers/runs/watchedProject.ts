import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RuleRef } from '../../../src/contracts/decision.ts'
import type { CommandEffects, EffectsReport } from '../../../src/contracts/effects.ts'
import { createJudge } from '../../../src/effects/judge/createJudge.ts'
import { openAccount } from '../../../src/effects/openAccount.ts'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import { openCheckoutWatch } from '../../../src/effects/watch/openCheckoutWatch.ts'
import { createGitRunner } from '../../../src/git/own/ownGit.ts'
import { changesBetween } from '../effects/playChanges.ts'
import { makeFolder } from '../makeFolder.ts'

const PATH = process.env['PATH'] ?? ''
export const RUN_GIT = createGitRunner(PATH)
export const WRITE: CommandEffects = { access: 'write', mayChangeGit: true, by: 't' }

const HELD: RuleRef = { list: 'deny', text: 'Edit(dist/held)', file: 'p', line: 1 }
const SEEN = {
  isProtected: (path: string) => path.endsWith('/.env'),
  isForbidden: (path: string) => path.endsWith('/dist/held'),
}

/**
 * A repository with `src`, where everything may be changed, `docs`, where nothing may, and an ignored `dist`. `isLarge`: old
 * contents are taken from git, as in a checkout of many files.
 */
export function watchedProject(script = 'true', isLarge = false) {
  const folder = makeFolder('watch-')
  const [root, before] = [join(folder, 'checkout'), join(folder, 'before')]
  mkdirSync(root)
  const env = {
    ...{ PATH, HOME: folder, GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b' },
    ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
  }
  const sh = (text: string) => void execFileSync('bash', ['-ec', text], { cwd: root, env, stdio: 'pipe' })
  sh(`git init -q; mkdir src docs; echo a > src/a; echo a > docs/a; echo dist > .gitignore; ${script}`)
  sh('git add -A; git commit -qm start --allow-empty')
  // Files of the second in which the index was written are copied.
  if (isLarge) sh('touch -d "1 minute" .git/index')
  const runGit = RUN_GIT
  const judge = createJudge({
    ...{ checkout: openCheckout([root]), writable: [], never: () => undefined },
    ruled: (path) =>
      path.endsWith('/dist/held')
        ? { behavior: 'deny', rule: HELD }
        : { behavior: path.startsWith(`${root}/src`) && !/\/\.git\//.test(path) ? 'allow' : 'ask' },
    isProtected: (path) => /\/\.git(?:\/|modules$|attributes$|$)|\/\.env$/.test(path),
    git: { runGit, folder: join(folder, 'git') },
  })
  const account = openAccount({ checkout: openCheckout([root]), top: root, folder: join(folder, 'account'), runGit })
  let inJudge = 'true'
  let inAccount = 'true'
  let inReady = 'true'
  const watch = openCheckoutWatch({
    checkout: openCheckout([root]),
    judge: async (...args) => {
      const judged = await judge(...args)
      sh(inJudge)
      inJudge = 'true'
      return judged
    },
    account: {
      ...account,
      async ready() {
        await account.ready()
        sh(inReady)
      },
      async after(...args) {
        await account.after(...args)
        sh(inAccount)
        inAccount = 'true'
      },
    },
    ...{ folder: join(folder, 'images'), runGit },
    ...(isLarge && { largeFrom: 0 }),
    ...SEEN,
  })
  return {
    ...{ root, sh, account, watch },
    /** Runs a script in the next judgement, as a command in the background may. */
    meanwhile(text: string) {
      inJudge = text
    },
    /** The same at the end of the next comparison, before its state is kept. */
    onAfter(text: string) {
      inAccount = text
    },
    /** The same as soon as the account knows the checkout. */
    onReady(text: string) {
      inReady = text
    },
    /** Runs a command that works alone. */
    async play(text: string, effects = WRITE): Promise<EffectsReport> {
      rmSync(before, { recursive: true, force: true })
      cpSync(root, before, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
      const watched = await watch.watch(effects)
      sh(text)
      return watched.settle()
    },
    /** Paths that are not as before the last command, but for git's objects. */
    differences: () =>
      changesBetween(before, root)
        .map(({ path }) => path.slice(before.length + 1))
        .filter((path) => !path.startsWith('.git/objects')),
  }
}

/** The paths of a report, relative to the project. */
export function namesOf(root: string, { kept, leftOut, undone }: EffectsReport) {
  const of = (list: readonly { readonly path: string }[]) => list.map(({ path }) => path.slice(root.length + 1))
  return {
    kept: of(kept),
    leftOut: of(leftOut.map(({ change }) => change)),
    undone: of(undone.map(({ change }) => change)),
  }
}
