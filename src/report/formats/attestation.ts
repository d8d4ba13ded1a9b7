import { createHash } from 'node:crypto'
import type { InitEvent, RefChange, ResultEvent, TranscriptRecord } from '../../contracts/events.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import type { RunReport } from '../fold/runReport.ts'

const STATEMENT = 'https://in-toto.io/Statement/v1'
/** What the predicate means: docs/attestation.md. */
const PREDICATE_TYPE = 'https://github.com/kode-run/kode-run/attestation/run/v1'

type Digest = Readonly<Record<string, string>>
type Subject = { readonly name: string; readonly digest: Digest }

/** An in-toto Statement v1 about a run. It says nothing that is not in the transcript, but `invocation.ci`. */
export type Statement = {
  readonly _type: string
  readonly subject: readonly Subject[]
  readonly predicateType: string
  readonly predicate: Readonly<Record<string, unknown>>
}

type StatementOptions = {
  /** SHA-256 of the transcript's file. */
  readonly transcript: string
  /** The address of the CI job. */
  readonly ci?: string | undefined
}

/**
 * The statement about a run that has a first record. Subjects are the transcript, the base commit, and what the run
 * made: a commit, a patch, or both. `null` in the predicate: there is none, or the record does not say.
 */
export function createStatement(report: RunReport, { transcript, ci }: StatementOptions): Statement {
  const { init, result } = report
  const base = commitOf(init?.base?.commit)
  const made = commitOf(init === null || result === null ? undefined : madeCommit(init, result.refs ?? []))
  const patch = result?.patch ? textDigest(result, 'patch', result.patch) : null
  const subjects: readonly (readonly [string, Digest | null])[] = [
    ['transcript', { sha256: transcript }],
    ['base', base],
    ['result', made],
    ['patch', patch],
  ]
  return {
    _type: STATEMENT,
    subject: subjects.flatMap(([name, digest]) => (digest === null ? [] : [{ name, digest }])),
    predicateType: PREDICATE_TYPE,
    predicate: {
      ...{ version: init?.version ?? null, model: init?.model ?? null },
      invocation: {
        ...{ run: report.run, session: report.sessionId, started: report.startedAt },
        ...(ci === undefined ? {} : { ci }),
      },
      task: init === null ? null : textDigest(init, 'prompt', init.prompt),
      policy: init === null ? null : { sha256: init.policy.sha256 },
      ...(init?.plugins?.length && { plugins: init.plugins.map(({ name, sha256 }) => ({ name, sha256 })) }),
      ...{ base, result: made, patch },
      transcript: { sha256: transcript, head: report.head },
      wall: wallOf(init, result),
      exit: result === null ? null : { reason: result.exit_reason, code: result.exit_code },
    },
  }
}

/** In what a statement and the transcript differ, one sentence each; empty if it is the statement about this run. */
export function statementDifferences(given: Statement, expected: Statement): string[] {
  const problems = differences({ _type: given._type, predicateType: given.predicateType }, TYPES, '')
  const subjects: readonly (Subject | null)[] = Array.isArray(given.subject) ? given.subject : []
  if (subjects.length === 0) problems.push('it has no subject')
  for (const subject of subjects) {
    const own = expected.subject.find(({ name }) => name === subject?.name)
    if (own !== undefined) {
      // A reader may look for any of the digests.
      const known = {
        ...Object.fromEntries(Object.keys(subject?.digest ?? {}).map((key) => [key, undefined])),
        ...own.digest,
      }
      problems.push(...differences(subject?.digest, known, `subject ${own.name}`))
    }
    // A platform that signs a predicate names the file itself.
    else if (!expected.subject.some(({ digest }) => isSame(digest, subject?.digest)))
      problems.push(`the subject ${JSON.stringify(subject?.name)} is nothing of this run`)
  }
  return [...problems, ...differences(given.predicate, expected.predicate, '')]
}

const TYPES = { _type: STATEMENT, predicateType: PREDICATE_TYPE }

/** The statement in a file: as it is, or as the payload of a DSSE envelope or a Sigstore bundle. */
export function parseStatement(text: string): Statement {
  const value = JSON.parse(text) as { payload?: string; dsseEnvelope?: { payload?: string } } | null
  const payload = value?.dsseEnvelope?.payload ?? value?.payload
  const statement: unknown = payload === undefined ? value : JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))
  if (typeof statement === 'object' && statement !== null && 'predicate' in statement) return statement as Statement
  throw new Error('it is no in-toto statement')
}

/** The address of the job in which a CI runs this process. */
export function ciJob(environment: ProcessIo['environment']): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = environment
  if (server && repository && id) {
    return `${server}/${repository}/actions/runs/${id}/attempts/${environment['GITHUB_RUN_ATTEMPT'] ?? 1}`
  }
  return environment['CI_JOB_URL'] ?? environment['BUILDKITE_BUILD_URL'] ?? environment['BUILD_URL']
}

function differences(given: unknown, expected: unknown, name: string): string[] {
  if (typeof expected !== 'object' || expected === null) {
    const shown = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value))
    return given === expected ? [] : [`${name} is ${shown(given)}, in the transcript ${shown(expected)}`]
  }
  const fields = (typeof given === 'object' && given !== null ? given : {}) as Digest
  return Object.entries(expected).flatMap(([key, value]) =>
    differences(fields[key], value, name === '' ? key : `${name}.${key}`),
  )
}

function isSame(a: Digest, b: Digest | undefined): boolean {
  const all = Object.entries(a)
  return all.length === Object.keys(b ?? {}).length && all.every(([algorithm, value]) => b?.[algorithm] === value)
}

function commitOf(commit: string | null | undefined): Digest | null {
  return commit ? { gitCommit: commit } : null
}

/** The hash of a text that may have been moved out of its record. */
function textDigest(record: InitEvent | ResultEvent, field: string, text: string): Digest {
  const { blobs = [] } = record as Partial<TranscriptRecord>
  const moved = blobs.find(({ path }) => path.length === 1 && path[0] === field)
  return { sha256: moved?.sha256 ?? createHash('sha256').update(text).digest('hex') }
}

/** The commit that is checked out in the end, if the run made it. */
function madeCommit({ base }: InitEvent, refs: readonly RefChange[]): string | null {
  const head = refs.find(({ name }) => name === 'HEAD')?.now ?? `refs/heads/${base?.branch}`
  if (/^[0-9a-f]{40,64}$/.test(head)) return head
  return refs.find(({ name }) => name === head)?.now ?? null
}

/** What stood around commands from start to end; `none` if it did not stand until the end. */
function wallOf(init: InitEvent | null, result: ResultEvent | null) {
  if (init === null) return null
  const { state, detail } = init.sandbox
  const first = state === 'enforced' ? 'sandbox' : detail.startsWith('landlock') ? 'landlock' : 'none'
  const isHeld = result === null || result.sandbox === state
  return {
    kind: isHeld ? first : 'none',
    detail,
    network: result?.network ?? init.network,
    changes: init.effects?.state ?? null,
  }
}
