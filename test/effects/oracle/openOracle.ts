import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EffectsReport } from '../../../src/contracts/effects.ts'
import { messageOf } from '../../../src/contracts/errors.ts'
import { createJudge } from '../../../src/effects/judge/createJudge.ts'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import { createGitRunner } from '../../../src/git/own/ownGit.ts'
import { protectionsOf } from '../../../src/policy/paths/judgeProtection.ts'
import { openTestEffects } from '../../helpers/effects/openTestEffects.ts'
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
  let printed = ''
  let rules: OracleRules = { allow: [], deny: [] }
  const isProtected = (path: string) => protectionsOf(path, 'write', '/home').length > 0
  const makeJudge = () =>
    createJudge({
      checkout: openCheckout([root]),
      writable: [],
      ruled: (path) => {
        const text = path.slice(root.length + 1)
        const rule = { text: 'Edit(x)', list: 'deny', file: 'p', line: 1 } as const
        if (rules.deny.some((rule) => rule.test(text))) return { behavior: 'deny', rule }
        const isAllowed = rules.allow.some((rule) => rule.test(text)) && !isProtected(path)
        return { behavior: isAllowed ? 'allow' : 'ask' }
      },
      isProtected: (path) => isProtected(path) || protectionsOf(path, 'read', '/home').length > 0,
      never: () => undefined,
      git: { runGit: createGitRunner(CLEAN_PATH), folder: join(own, 'git') },
    })
  const { sandbox, run, close } = await openTestEffects({
    ...{ roots: [root], network: 'none', denied, environment: LINE_ENVIRONMENT, state: own },
    judge: (changes, context) => makeJudge()(changes, context),
  })
  if (sandbox.views.folder === undefined) throw new Error(`no views: ${sandbox.views.detail}`)
  return {
    async run(script, lineRules, mayChangeGit) {
      rules = lineRules
      try {
        const { report, stdout, stderr } = await run(script, { mayChangeGit, by: 'call', timeoutMs: 20_000 })
        printed = `${stdout.text}${stderr.text}`
        return report
      } catch (error) {
        return `no report: ${messageOf(error)}`
      }
    },
    printed: () => printed,
    close,
  }
}
