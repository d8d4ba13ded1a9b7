import { join } from 'node:path'
import type { Config } from '../../config/resolveConfig.ts'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { FileAccess } from '../../contracts/files.ts'
import type { Account } from '../../effects/openAccount.ts'
import { writeStaged } from '../../files/writeStaged.ts'
import { findRepository, type RunGit } from '../../git/own/ownGit.ts'
import type { Checkout } from '../../git/repository/readCheckout.ts'
import { patchSince } from '../../git/states/gitWorktree.ts'
import { partsOf, pathsIn, stageOnFiles } from '../../git/states/stagePatch.ts'
import { someOf } from '../../lib/text/words.ts'
import { judgePatch, type PatchJudge } from '../../policy/paths/judgePath.ts'
import { accountedFiles, type ChangeAccount } from '../effects/accountedFiles.ts'
import type { Resumed } from './loadResumed.ts'

/**
 * Restores the work tree of the old run (`--apply-patch`), or checks whether it is already there. The patch of the new
 * run then contains the changes of both. A mismatch is a warning; a requested patch that does not apply throws
 * `bad_input`. Anyone can write a transcript, so the changes of its patch are judged like edits.
 */
export async function resumeWorkTree(checkout: Checkout, resumed: Resumed, options: ResumeOptions): Promise<string[]> {
  const { patch, base, event } = resumed
  const warnings: string[] = []
  const isKilled = event.from.exit_reason === null
  if (base !== checkout.commit) {
    warnings.push(`The run began at commit ${base ?? '(none)'}, and ${checkout.commit ?? '(none)'} is checked out now.`)
  }
  if (options.config.applyPatch) {
    if (isKilled) throw refusal('the run was killed before it could record its changes')
    if (patch === null || patch === '') return warnings
    await applyPatch(patch, checkout.top, options)
    return warnings
  }
  const done = isKilled ? await doneBeforeKill(checkout, resumed, options.git) : { patch, changes: resumed.changes }
  const left = done?.patch ? await options.account.adopt(done.patch, done.changes) : []
  if (isKilled) {
    const unknown = done === undefined ? 'What it left' : 'What a call that was cut off left'
    warnings.push(
      `The run was killed before it could record its changes. ${unknown} in the work tree counts as there before: it is no change of this run, and checks.protect does not see it.`,
    )
  }
  if (left.length > 0)
    warnings.push(
      `These files are not as the run left them, and count as there before: ${someOf(left, MAX_NAMES)}. On a fresh checkout, use --apply-patch to restore its changes.`,
    )
  return warnings
}

const MAX_NAMES = 10

/**
 * What the calls of a killed run changed, compared with its commit: other changes may have been there before. Undefined if
 * it cannot be compared.
 */
async function doneBeforeKill({ top }: Checkout, { base, changedFiles }: Resumed, git: RunGit) {
  const repository = findRepository(top)
  if (base === null || repository === undefined) return undefined
  const since = { gitDir: repository.gitDir, commit: base, top }
  const whole = changedFiles.length === 0 ? undefined : await patchSince(since, git).catch(() => null)
  if (whole === null) return undefined
  const ofRun = new Set(changedFiles)
  const isOfRun = (part: string) => [...pathsIn(part)].some((name) => ofRun.has(join(top, name)))
  const parts = partsOf(new TextDecoder().decode(whole)).filter(isOfRun)
  const changes = parts.flatMap((part) => [...pathsIn(part)].map((path) => ({ path, by: [RESUMED] })))
  return { patch: parts.join(''), changes }
}

export type ResumeOptions = Omit<PatchJudge, 'top'> & {
  readonly config: Config
  readonly git: RunGit
  readonly files: FileAccess
  readonly account: Account & ChangeAccount
}

/** The id that stands for the calls of the resumed run. */
const RESUMED = 'resumed'

async function applyPatch(patch: string, top: string, { git, files, account, ...judge }: ResumeOptions): Promise<void> {
  const staged = await stageOnFiles(top, { patch }, git)
  if (staged === undefined) throw refusal('the recorded patch does not apply to the files')
  const objection = judgePatch(staged, { ...judge, top })
  if (objection !== undefined) throw refusal(objection)
  await writeStaged(top, staged, accountedFiles(files, account, RESUMED)).catch((error: unknown) => {
    throw refusal(messageOf(error))
  })
}

function refusal(why: string): RunError {
  return new RunError('bad_input', `--apply-patch: ${why}.`)
}
