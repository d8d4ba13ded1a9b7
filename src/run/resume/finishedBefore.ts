import { createHash } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { RunError } from '../../contracts/errors.ts'
import type { InitEvent, ResultEvent, TranscriptRecord } from '../../contracts/events.ts'
import type { Checkout } from '../../git/repository/readCheckout.ts'
import { describeProcess, processState } from '../../lib/process/processIdentity.ts'
import { readTranscript } from '../../report/transcript/readTranscript.ts'
import { verifyTranscript } from '../../report/transcript/verifyTranscript.ts'
import type { RunRequest } from '../RunRequest.ts'
import { openNamedPlugins } from '../start/loadExtensions.ts'

export type Before = {
  /** SHA-256 of what makes two runs the same: task, policy, base commit, model, plugins. */
  readonly key: string
  /** The first and the last record of the run that completed this task. */
  readonly done?: readonly [TranscriptRecord, TranscriptRecord & ResultEvent]
}

/**
 * `--once`: whether the transcript says that this task is completed: it is intact, ended with exit code 0, and had the
 * same task, policy, base commit and model. Any other transcript is kept as an earlier attempt, beside the new one.
 * Throws `usage` without a transcript, `locked` if its run goes on.
 */
export async function finishedBefore(request: RunRequest, { commit }: Checkout): Promise<Before> {
  const { config, prompt, policy, note } = request
  const { transcript: path, model, agent, agents, systemPrompt, appendSystemPrompt } = config
  if (path === undefined)
    throw new RunError('usage', '--once needs --transcript FILE: the record that says it is done.')
  const rules = policy.rules.map(({ list, text }) => `${list} ${text}`)
  const told = [agent?.name, agents, systemPrompt, appendSystemPrompt, config.jsonSchema].map((part) => part ?? null)
  const plugins = await openNamedPlugins(request)
  plugins.close()
  const hashes = plugins.list.map(({ name, sha256 }) => `${name} ${sha256}`)
  const parts = [prompt, policy.sha256, rules, commit, model, told, hashes]
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  if (!existsSync(path)) return { key }
  const { init, result } = await endsOf(path)
  const why = await difference(path, { init, result, key, commit })
  if (why === undefined && init !== undefined && result !== undefined) {
    note?.(`This task is completed already: ${path}, run ${init.run} at ${result.ts}. Nothing is asked again (--once).`)
    return { key, done: [init, result] }
  }
  const kept = unusedAttempt(path)
  renameSync(path, kept)
  note?.(`The task runs again, because ${why}. The earlier record is ${kept} now (--once).`)
  return { key }
}

type Ends = Awaited<ReturnType<typeof endsOf>>

async function endsOf(path: string) {
  let init: (TranscriptRecord & InitEvent) | undefined
  let result: (TranscriptRecord & ResultEvent) | undefined
  for await (const item of readTranscript(path)) {
    if (item.kind === 'damage') continue
    const { record } = item
    if (record.type === 'system' && record.subtype === 'init') init ??= record
    if (record.type === 'result') result = record
  }
  return { init, result }
}

type Compared = Ends & { readonly key: string; readonly commit: string | null }

/** Why the record does not stand for this task; undefined if it does. */
async function difference(path: string, { init, result, key, commit }: Compared): Promise<string | undefined> {
  if (result === undefined) {
    if (init?.process !== undefined && processState(init.process) === 'alive')
      throw new RunError('locked', `--once: ${describeProcess(init.process)} is at work on this task (${path}).`)
    return 'its run has no end'
  }
  if (result.exit_code !== 0) return `its run ended with ${result.exit_reason} (exit code ${result.exit_code})`
  if (commit === null) return 'there is no commit to compare'
  if (init?.once !== key) return 'its task, policy, base commit, model or plugins were others'
  return (await verifyTranscript(path)).isIntact ? undefined : 'its record was changed'
}

/** `a.jsonl` becomes `a.attempt-1.jsonl`; reports count it with its later run. */
function unusedAttempt(path: string): string {
  for (let number = 1; ; number++) {
    const kept = `${path.replace(/\.jsonl$/, '')}.attempt-${number}.jsonl`
    if (!existsSync(kept)) return kept
  }
}
