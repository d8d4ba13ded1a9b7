import type { FlagValues } from '../config/parseArguments.ts'
import { RunError } from '../contracts/errors.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { findRun, initOf, type RunPlace } from '../report/transcript/findRun.ts'

/**
 * The flags with `--resume` as a path, and the policy of that run if none is given. A transcript in the checkout
 * provides no policy, because the author of the checkout may have written it.
 */
export async function withResumed(flags: FlagValues, place: Omit<RunPlace, 'asked'>): Promise<FlagValues> {
  const name = flags['resume'] as string | undefined
  if (name === undefined) return flags
  const resume = await findRun(name, { ...place, asked: '--resume' })
  if (flags['policy'] !== undefined || flags['settings'] !== undefined || isWithin(resume, place.cwd))
    return { ...flags, resume }
  const [policy] = (await initOf(resume))?.policy.files ?? []
  if (policy === undefined) return { ...flags, resume }
  if (!policy.startsWith('/'))
    throw new RunError('usage', `--resume ${name}: the run had its rules in --settings. Give --settings again.`)
  return { ...flags, resume, policy }
}
