import { describe, expect, it } from 'vitest'
import type { InitEvent, ResultEvent, RunEvent } from '../../../src/contracts/events.ts'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import {
  ciJob,
  createStatement,
  parseStatement,
  type Statement,
  statementDifferences,
} from '../../../src/report/formats/attestation.ts'
import { sampleRun, stamp } from '../../helpers/runs/events.ts'

const FILE = 'e'.repeat(64)
const BASE = 'f'.repeat(40)
const MADE = '1'.repeat(40)
const OTHER = '2'.repeat(40)
const MAIN = 'refs/heads/main'

type Change = { readonly init?: Partial<InitEvent>; readonly result?: Partial<ResultEvent> }

function statementOf({ init, result }: Change = {}): Statement {
  const changed = (event: RunEvent): RunEvent => {
    if (event.type === 'result') return { ...event, ...result }
    return event.type === 'system' && event.subtype === 'init' ? { ...event, ...init } : event
  }
  return createStatement(foldReport(stamp(sampleRun().map(changed))), { transcript: FILE })
}

const onBranch = { base: { commit: BASE, branch: 'main' } }
const moved = (name: string, before: string | null, now: string | null) => {
  return { name, before, now, commits: 1, files: [] }
}

const OTHER_BRANCH = moved('refs/heads/x', null, MADE)

describe('a statement', () => {
  it.each<[string, Change, readonly string[]]>([
    ['nothing was made', { result: { patch: '' } }, ['transcript', 'base']],
    ['there is no git', { init: { base: null }, result: { patch: null } }, ['transcript']],
    ['another branch moved', { init: onBranch, result: { patch: '', refs: [OTHER_BRANCH] } }, ['transcript', 'base']],
  ])('has no subject for what is not there: %s', (_, change, names) => {
    expect(statementOf(change).subject.map(({ name }) => name)).toEqual(names)
  })

  it.each<[string, readonly ReturnType<typeof moved>[], string | null]>([
    ['the branch that is checked out', [moved(MAIN, BASE, MADE)], MADE],
    ['a branch that it made', [moved('HEAD', MAIN, 'refs/heads/x'), moved('refs/heads/x', null, OTHER)], OTHER],
    ['no branch', [moved('HEAD', MAIN, OTHER)], OTHER],
    ['a branch that it removed', [moved(MAIN, BASE, null)], null],
  ])('names the commit at the end, on %s', (_, refs, commit) => {
    const { predicate } = statementOf({ init: onBranch, result: { refs } })
    expect(predicate['result']).toEqual(commit === null ? null : { gitCommit: commit })
  })

  it.each<[string, InitEvent['sandbox'], ResultEvent['sandbox'], string]>([
    ['a sandbox', { mode: 'auto', state: 'enforced', detail: 'bubblewrap' }, 'enforced', 'sandbox'],
    ['a sandbox that fell', { mode: 'auto', state: 'enforced', detail: 'bubblewrap' }, 'off', 'none'],
    ['Landlock', { mode: 'auto', state: 'advisory', detail: 'landlock 4; no sandbox' }, 'advisory', 'landlock'],
    ['nothing', { mode: 'off', state: 'off', detail: 'off' }, 'off', 'none'],
  ])('says which wall stood: %s', (_, sandbox, end, kind) => {
    expect(statementOf({ init: { sandbox }, result: { sandbox: end } }).predicate['wall']).toMatchObject({ kind })
  })

  it('takes the hash of a text that was moved out of its record', () => {
    const blobs = [{ path: ['patch'], sha256: 'b'.repeat(64), length: 9 }]
    const result = { patch: 'a pa… …tch', blobs } as Partial<ResultEvent>
    expect(statementOf({ result }).predicate['patch']).toEqual({ sha256: 'b'.repeat(64) })
  })
})

/** A digest of something else beside the file's own. */
const TWO = { sha256: FILE, gitCommit: OTHER }

describe('a statement and another run', () => {
  const own = statementOf({ init: onBranch, result: { patch: 'a patch' } })

  it('is about the run that it was made of, whoever names the job', () => {
    expect(statementDifferences(own, own)).toEqual([])
    const invocation = { ...(own.predicate['invocation'] as object), ci: 'https://ci/1' }
    expect(statementDifferences({ ...own, predicate: { ...own.predicate, invocation } }, own)).toEqual([])
  })

  it.each<[string, Change, readonly string[]]>([
    ['task', { init: { prompt: 'x' } }, ['task.sha256']],
    ['policy', { init: { policy: { files: [], sha256: 'c' } } }, ['policy.sha256']],
    ['base', { init: { base: { commit: OTHER, branch: 'main' } } }, ['subject base.gitCommit', 'base.gitCommit']],
    ['end', { result: { exit_code: 4 } }, ['exit.code']],
  ])('differs by name: %s', (_, { init, result }, names) => {
    const other = statementOf({ init: { ...onBranch, ...init }, result: { patch: 'a patch', ...result } })
    const found = statementDifferences(own, other).map((line) => line.split(' is ')[0])
    expect(found.filter((name) => name !== 'transcript.head')).toEqual(names)
  })

  it.each<[string, Partial<Statement>, string]>([
    ['another type', { predicateType: 'https://slsa.dev/provenance/v1' }, 'predicateType is "https://slsa.dev'],
    ['no subject', { subject: [] }, 'it has no subject'],
    ['another file', { subject: [{ name: 'app.tgz', digest: { sha256: OTHER } }] }, 'the subject "app.tgz" is nothing'],
    ['a subject that is none', { subject: [null] as never }, 'the subject undefined is nothing'],
    ['two digests', { subject: [{ name: 'transcript', digest: TWO }] }, 'subject transcript.gitCommit is'],
    ['another name with two digests', { subject: [{ name: 'app', digest: TWO }] }, 'the subject "app" is nothing'],
    ['no digest', { subject: [{ name: 'transcript', digest: {} }] }, 'subject transcript.sha256 is missing'],
    ['no predicate', { predicate: {} }, 'task.sha256 is missing'],
  ])('differs: %s', (_, change, words) => {
    expect(statementDifferences({ ...own, ...change }, own).join('\n')).toContain(words)
  })

  it('may be signed by a platform, which names the file itself', () => {
    const subject = [{ name: 'transcript.jsonl', digest: { sha256: FILE } }]
    expect(statementDifferences({ ...own, subject }, own)).toEqual([])
  })
})

it('is read from an envelope and a bundle, too', () => {
  const own = statementOf()
  const payload = Buffer.from(JSON.stringify(own)).toString('base64')
  for (const file of [own, { payload }, { dsseEnvelope: { payload } }]) {
    expect(parseStatement(JSON.stringify(file))).toEqual(JSON.parse(JSON.stringify(own)))
  }
  for (const text of ['null', '[]', '{}', '"x"']) expect(() => parseStatement(text)).toThrow('no in-toto statement')
})

const GITHUB = { GITHUB_SERVER_URL: 'https://g', GITHUB_REPOSITORY: 'a/b', GITHUB_RUN_ID: '7' }

it.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ CI_JOB_URL: 'https://gitlab/1' }, 'https://gitlab/1'],
  [{ BUILD_URL: 'https://jenkins/1' }, 'https://jenkins/1'],
  [GITHUB, 'https://g/a/b/actions/runs/7/attempts/1'],
])('the job of %j is %s', (environment, job) => expect(ciJob(environment)).toBe(job))
