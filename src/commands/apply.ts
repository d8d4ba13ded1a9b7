import { resolve } from 'node:path'
import { projectRoot } from '../config/resolveConfig.ts'
import { EXIT_CODES, messageOf, RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { createFileAccess } from '../files/createFileAccess.ts'
import { writeStaged } from '../files/writeStaged.ts'
import { createGitRunner, findRepository, type RunGit } from '../git/own/ownGit.ts'
import { copiesFiles, type StagedPatch, stageOnFiles, stagePatch } from '../git/states/stagePatch.ts'
import {
  type Applied,
  type ApplyTarget,
  applyComment,
  applyIssue,
  applyLabels,
  applyPullRequest,
  applyReviewComment,
} from '../github/applyOutput.ts'
import { createGitHubApi } from '../github/createGitHubApi.ts'
import { readEvent } from '../github/readEvent.ts'
import { readInputFile } from '../lib/fs/readInputFile.ts'
import { type OutputDiff, type OutputFile, type ProposedOutput, parseOutputs } from '../lib/proposedOutput.ts'
import type { Policy } from '../policy/Policy.ts'
import { judgeOutput } from '../policy/paths/judgeOutput.ts'
import { judgePatch, judgePath, type PatchJudge } from '../policy/paths/judgePath.ts'
import { encodeUntrusted } from '../report/markdown/encodeUntrusted.ts'
import { unquotedMarkdown } from '../report/markdown/safeMarkdown.ts'
import { childPath } from '../sandbox/environment/childPath.ts'
import { loadCommandPolicy } from './policy/loadCommandPolicy.ts'
import type { CommandLine } from './runCommandLine.ts'

const MAX_BYTES = 60_000_000

type Output = OutputFile['outputs'][number]

/** What became of one output. `refused`: the policy forbids it. `failed`: applying it did not work. */
type Outcome = {
  readonly id: string
  readonly kind: Output['kind']
  readonly state: Applied['state'] | 'refused' | 'failed' | 'possible'
  readonly detail: string
}

type Applier = {
  readonly policy: Policy
  readonly cwd: string
  /** The top folder of the repository. */
  readonly top: string
  readonly git: RunGit
  readonly diff: OutputDiff | undefined
  /** Undefined with `--dry-run`, which applies nothing. */
  readonly target: ApplyTarget | undefined
  /** The issue or pull request that `--target` names. */
  readonly number: number | undefined
}

/**
 * `kode-run apply OUTPUTS`: applies what a run proposed, within what the policy declares. Each output is applied once,
 * however often the command runs. Exits with 3 if an output was refused, with 1 if one failed.
 */
export async function apply(io: ProcessIo, line: CommandLine): Promise<number> {
  const file = resolve(io.cwd, line.positionals[0] ?? '')
  const text = await readInputFile(file, { label: 'apply', reason: 'bad_input', maxBytes: MAX_BYTES })
  const { outputs, diff } = parse(text, file)
  const policy = await loadCommandPolicy(io, line.flags)
  if (policy.files.length === 0)
    throw new RunError('usage', 'apply: name the policy whose `outputs:` hold: --policy FILE.')
  const target = line.flags['dry-run'] === true ? undefined : await openTarget(io, line)
  const cwd = projectRoot(io, line.flags)
  const top = findRepository(cwd)?.top ?? cwd
  const git = createGitRunner(childPath(io.environment['PATH'], cwd))
  const number = line.flags['target'] as number | undefined
  const applier = { policy, target, number, diff, cwd, top, git }
  const outcomes: Outcome[] = []
  const passed: Output[] = []
  for (const output of outputs) {
    const refusal = judgeOutput(output, policy.settings.outputs, passed)
    if (refusal === undefined) passed.push(output)
    outcomes.push(refusal === undefined ? await perform(output, applier) : outcomeOf(output, 'refused', refusal))
  }
  io.print(
    line.flags['json'] === true
      ? `${JSON.stringify(outcomes, null, 2)}\n`
      : outcomes.map(render).join('') || 'nothing was proposed\n',
  )
  return exitCode(outcomes)
}

function parse(text: string, file: string): OutputFile {
  try {
    return parseOutputs(text)
  } catch (cause) {
    throw new RunError('bad_input', `${file}: ${messageOf(cause)}. Nothing was applied.`, { cause })
  }
}

/** Repository, token and the triggering issue, from flags or from what GitHub sets. */
async function openTarget({ environment }: ProcessIo, { flags }: CommandLine): Promise<ApplyTarget> {
  const repository = (flags['repo'] as string | undefined) ?? environment['GITHUB_REPOSITORY'] ?? ''
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new RunError('usage', 'apply: name the repository with --repo OWNER/NAME.')
  const token = environment['GITHUB_TOKEN'] || environment['GH_TOKEN'] || ''
  if (token === '') throw new RunError('auth', 'apply: set GITHUB_TOKEN to a token that may write to the repository.')
  const isOnGitHub = (environment['GITHUB_EVENT_PATH'] ?? '') !== ''
  const number =
    (flags['target'] as number | undefined) ?? (isOnGitHub ? (await readEvent(environment)).number : undefined)
  return {
    api: createGitHubApi({ url: environment['GITHUB_API_URL'] ?? 'https://api.github.com', token }),
    ...{ repository, number, safe: unquotedMarkdown },
  }
}

/** Applies one output that the policy allows. Its changes are judged here, as git reads the patch. */
async function perform(output: Output, applier: Applier): Promise<Outcome> {
  try {
    const staged = await stage(output, applier)
    if (typeof staged === 'string') return outcomeOf(output, 'refused', staged)
    if (applier.target === undefined)
      return outcomeOf(output, 'possible', describeOutput(output, applier.number, staged))
    const { state, detail } = await perKind(output, staged, applier, applier.target)
    return outcomeOf(output, state, detail)
  } catch (error) {
    return outcomeOf(output, 'failed', messageOf(error))
  }
}

/** What the output would change: a string says why that is refused; undefined for outputs without a patch. */
async function stage(output: Output, applier: Applier): Promise<StagedPatch | string | undefined> {
  if (output.kind !== 'pull_request' && output.kind !== 'patch') return undefined
  const { cwd, diff } = applier
  if (diff === undefined) return 'the run left no patch'
  if (copiesFiles(diff.patch)) return 'the patch copies a file, and so may show one that is hidden'
  const staged = await stagePatch(cwd, diff, applier.git)
  return judgePatch(staged.files, judgeOf(applier, output.kind)) ?? staged
}

async function perKind(
  output: Output,
  staged: StagedPatch | undefined,
  applier: Applier,
  target: ApplyTarget,
): Promise<Applied> {
  switch (output.kind) {
    case 'comment':
      return applyComment(output, target)
    case 'review_comment':
      return applyReviewComment(output, target)
    case 'label':
      return applyLabels(output, target)
    case 'issue':
      return applyIssue(output, target)
    case 'pull_request': {
      const { base = '' } = applier.diff ?? {}
      const { baseTree = '', files = [] } = staged ?? {}
      return applyPullRequest(output, { base, baseTree, files }, target)
    }
    case 'patch':
      return applyPatch(applier)
  }
}

/** Applies the changes of the run to the checkout. A checkout that already has them stays as it is. */
async function applyPatch(applier: Applier): Promise<Applied> {
  const { cwd, top, git, policy, diff } = applier
  const patch = diff?.patch ?? ''
  if ((await stageOnFiles(top, { patch, isReversed: true }, git)) !== undefined)
    return { state: 'already', detail: cwd }
  const staged = await stageOnFiles(top, { patch }, git)
  if (staged === undefined) throw new Error(`the patch does not apply to ${cwd}`)
  const objection = judgePatch(staged, judgeOf(applier, 'patch'))
  if (objection !== undefined) throw new Error(objection)
  const places = { roots: [cwd], forbidden: [], readOnly: policy.files }
  const isDenied = (path: string) => judgePath(judgeOf(applier, 'patch'), path, 'write') === 'deny'
  const verdict = (path: string, access: string) => (access === 'write' && isDenied(path) ? 'deny' : undefined)
  await writeStaged(top, staged, createFileAccess({ ...places, verdict }))
  return { state: 'applied', detail: cwd }
}

function judgeOf({ policy, cwd, top }: Applier, kind: Output['kind']): PatchJudge {
  const { defaultMode: mode, outputs } = policy.settings
  return { ...{ policy, top, mode }, workingDirectories: [cwd], allow: outputs[kind]?.allow }
}

function outcomeOf({ id, kind }: Output, state: Outcome['state'], detail: string): Outcome {
  return { id, kind, state, detail }
}

function render({ id, kind, state, detail }: Outcome): string {
  return encodeUntrusted(`${state.padEnd(8)} ${kind} ${id} ${detail}`.trimEnd())
}

function exitCode(outcomes: readonly Outcome[]): number {
  if (outcomes.some(({ state }) => state === 'failed')) return EXIT_CODES.task_failed.code
  return outcomes.some(({ state }) => state === 'refused') ? EXIT_CODES.blocked.code : 0
}

/** What `--dry-run` shows of an output: where it would go, and its text. */
function describeOutput(output: ProposedOutput, number: number | undefined, change?: StagedPatch): string {
  const files = change === undefined ? [] : [`files: ${change.files.map(({ path }) => path).join(', ')}`]
  const parts = [`to ${targetOf(output, number)}`, ...files, ...textOf(output)]
  return parts.join('\n').replaceAll('\n', '\n    ')
}

function targetOf(output: ProposedOutput, number: number | undefined): string {
  if (output.kind === 'patch') return 'the checkout'
  if (output.kind === 'issue' || output.kind === 'pull_request') return `a new ${output.kind.replace('_', ' ')}`
  const named = output.number ?? number
  const issue = named === undefined ? 'the issue that triggered the run' : `#${named}`
  return output.kind === 'review_comment' ? `${output.path}:${output.line} of ${issue}` : issue
}

function textOf(output: ProposedOutput): readonly string[] {
  if (output.kind === 'label') return [output.labels.join(', ')]
  return [...('title' in output ? [output.title] : []), ...('body' in output ? [output.body] : [])]
}
