import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { EffectsReport } from '../../../src/contracts/effects.ts'
import { createJudge } from '../../../src/effects/judge/createJudge.ts'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import { openEffects } from '../../../src/effects/openEffects.ts'
import type { RunGit } from '../../../src/git/own/ownGit.ts'
import { isWithin } from '../../../src/lib/fs/isWithin.ts'
import { protectionsOf } from '../../../src/policy/paths/judgeProtection.ts'
import { createCommandAccess } from '../../../src/sandbox/createCommandAccess.ts'
import { surveyWorkspaces } from '../../../src/sandbox/mounts/surveyWorkspaces.ts'
import { openSandbox } from '../../../src/sandbox/openSandbox.ts'
import { CLEAN_PATH } from '../corpus/playEffectRow.ts'

export type OracleRules = { readonly allow: readonly RegExp[]; readonly deny: readonly RegExp[] }

export type Oracle = {
  run(script: string, rules: OracleRules, mayChangeGit: boolean): Promise<EffectsReport | string>
  /** What the last line printed. */
  printed(): string
  close(): Promise<void>
}

/** Fixed times and names, so that the same line makes the same commits twice. */
export const LINE_ENVIRONMENT = {
  ...{ PATH: CLEAN_PATH, LC_ALL: 'C.UTF-8', HOME: '/tmp', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b', GIT_AUTHOR_DATE: '2001-01-01T00:00:00Z' },
  GIT_COMMITTER_DATE: '2001-01-01T00:00:00Z',
}

/** The transactions of a run in this process, with rules that may be others for each line. */
export async function openOracle(base: string, root: string, denied: readonly string[] = []): Promise<Oracle> {
  const own = join(base, 'own')
  mkdirSync(own)
  const sandbox = await openSandbox({
    settings: { mode: 'required', network: 'none', allow: [], writable: [], readable: [] },
    workspaces: [root],
    survey: surveyWorkspaces([root], (path) => denied.some((place) => isWithin(path, place))),
    ...{ home: undefined, path: CLEAN_PATH, readOnly: [], hidden: [] },
    isOpened: () => false,
    denied,
    onRefusal: () => undefined,
  })
  const commands = createCommandAccess({
    environment: { ...LINE_ENVIRONMENT, ...sandbox.environment },
    runId: 'oracle',
    wrap: sandbox.wrap,
    putBlob: () => '/blob',
    defaultTimeoutMs: 20_000,
    maxTimeoutMs: 20_000,
    deadline: performance.now() + 100_000_000,
  })
  let printed = ''
  let rules: OracleRules = { allow: [], deny: [] }
  const shown = (path: string) => path.slice(root.length + 1)
  const runGit: RunGit = async (args, environment, _signal, input) => {
    try {
      return execFileSync('git', [...args], {
        cwd: own,
        env: { PATH: CLEAN_PATH, ...environment },
        encoding: 'utf8',
        stdio: 'pipe',
        ...(input !== undefined && { input }),
      })
    } catch {
      return undefined
    }
  }
  const makeJudge = () =>
    createJudge({
      checkout: openCheckout([root]),
      writable: [],
      ruled: (path) => {
        const text = shown(path)
        const isDenied = rules.deny.some((rule) => rule.test(text))
        const rule = { text: 'Edit(x)', list: 'deny', file: 'p', line: 1 } as const
        if (isDenied) return { behavior: 'deny', rule }
        const isAllowed =
          rules.allow.some((rule) => rule.test(text)) && protectionsOf(path, 'write', '/home').length === 0
        return { behavior: isAllowed ? 'allow' : 'ask' }
      },
      isProtected: (path) =>
        protectionsOf(path, 'write', '/home').length > 0 || protectionsOf(path, 'read', '/home').length > 0,
      never: () => undefined,
      git: { runGit, folder: join(own, 'git') },
    })
  const { folder, tar } = sandbox.views
  if (folder === undefined || tar === undefined) throw new Error(`no views: ${sandbox.views.detail}`)
  const effects = openEffects({
    roots: sandbox.roots,
    views: { folder, tar },
    ...{ isReadOnlyEnforced: true, state: own, start: commands.runOn, prepare: commands.prepare },
    judge: (changes, context) => makeJudge()(changes, context),
    account: { before: () => undefined, after: () => undefined },
    watch: () => Promise.reject(new Error('nothing is watched here')),
    directFolders: () => [],
  })
  return {
    async run(script, lineRules, mayChangeGit) {
      rules = lineRules
      // After another line, as after a model's answer: its sandbox waits.
      await setImmediate()
      const { signal } = new AbortController()
      const access = { access: 'write', mayChangeGit, by: 'call' } as const
      const result = await effects.run({
        ...{ file: 'bash', args: ['-c', script], cwd: root, timeoutMs: 20_000, signal, effects: access },
      })
      printed = `${result.stdout.text}${result.stderr.text}`
      return result.effects ?? `no report: ${result.startError}`
    },
    printed: () => printed,
    async close() {
      await commands.closeAll()
      await effects.close()
      await sandbox.close()
    },
  }
}
