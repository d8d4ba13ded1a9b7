import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ActionOptions,
  type ActionRun,
  fillRepository,
  KEY,
  playAction,
  TOKEN,
} from '../../helpers/github/actionRun.ts'
import { commentEvent, plainEvent, pullRequestEvent } from '../../helpers/github/githubEvents.ts'
import {
  answerForPeople,
  type GitHubAnswer,
  type GitHubCall,
  startGitHubServer,
} from '../../helpers/github/githubServer.ts'
import type { Lab } from '../openLab.ts'
import type { FaultRow } from './FaultRow.ts'

/** An answer that tries to leave its place on a page of GitHub. */
const HOSTILE_MARKDOWN = [
  '</details></table><script>alert(1)</script>',
  '<img src=//evil.example/x?y> ![x](//evil.example/y)',
  '@octocat please, fixes #1 and GH-2',
  '[a](javascript:alert(1)) <a href="//evil.example">b</a>',
  '````\nfence\n```',
].join('\n\n')

const FILES = {
  'README.md': 'shop\n',
  '.kode/policy.yml':
    'version: 1\npermissions: { presets: [read-only], allow: ["Bash(bash touch.sh)"] }\nsandbox: { mode: off }\n',
  'touch.sh': 'echo "FORGED=1" >> "$COMMANDS/ENV"; env\n',
}
const say = (summary: string) => ({ tools: [{ name: 'Finish', input: { status: 'completed', summary } }] })

type Given = Partial<Omit<ActionOptions, 'event'>> & {
  readonly turns?: readonly object[]
  readonly event?: (sha: string) => ActionOptions['event']
  readonly answer?: (call: GitHubCall) => GitHubAnswer
}

/** A step of the action in a repository of its own, on a replay. */
async function playStep(lab: Lab, { turns = [say('done')], event, answer, inputs, ...given }: Given = {}) {
  const folder = lab.folder()
  const { commits } = fillRepository(folder, [FILES])
  const [sha = ''] = commits
  const server = await startGitHubServer(answer ?? answerForPeople({ maintainer: { permission: 'admin' } }))
  lab.onClose(() => server.close())
  const file = join(lab.folder(), 'replay.yml')
  writeFileSync(file, JSON.stringify(turns))
  const own = { prompt: 'Look', policy: '.kode/policy.yml', anthropic_api_key: KEY, args: `--replay ${file}` }
  return playAction({
    ...{ workspace: folder, sha, apiUrl: server.url, onEnd: lab.onClose },
    event: event?.(sha) ?? plainEvent('schedule'),
    ...given,
    inputs: { ...own, ...inputs },
  })
}

const forged = (run: ActionRun) => run.commands.filter(({ data }) => /^forged/i.test(data)).length
const ended = (run: ActionRun) =>
  `${run.code} ${run.outputs['exit_reason']}, ${run.records.length === 0 ? 'no run' : 'a run'}`

function stepRow(row: string, injected: string, rest: Pick<FaultRow, 'expected' | 'play'>): FaultRow {
  return { row, group: 'I', injected, ...rest }
}

/** An event file that is not what GitHub writes. */
function badEvent(row: string, what: string, text: string): FaultRow {
  return stepRow(row, `an event file that ${what}`, {
    expected: '65 bad_input, no run',
    async play(lab) {
      const file = join(lab.folder(), 'event.json')
      writeFileSync(file, text)
      return ended(await playStep(lab, { env: { GITHUB_EVENT_PATH: file } }))
    },
  })
}

/** A comment by somebody, and what GitHub says of them. */
function gate(row: string, who: string, given: Given & { readonly login?: string; readonly type?: string }): FaultRow {
  const { login = 'maintainer', type = 'User', ...rest } = given
  return stepRow(row, `a comment by ${who}`, {
    expected: '3 actor_denied, no run',
    play: async (lab) =>
      ended(await playStep(lab, { event: () => commentEvent({ user: { login, type } }), actor: login, ...rest })),
  })
}

const COMMANDS = '::error::forged\n##[error]forged\r::add-mask::e\u2028::stop-commands::x\n\u00a0::warning::forged'

/** Faults of what GitHub shows and hands over. */
export const githubFaults: readonly FaultRow[] = [
  stepRow('121', 'workflow commands in what the model says, in a title, in a file', {
    expected: '0 completed, a run, 0 forged commands',
    async play(lab) {
      const event = (sha: string) => pullRequestEvent({ base: sha, head: sha, title: COMMANDS })
      const turns = [{ say: COMMANDS, tools: [{ name: 'Bash', input: { command: 'cat README.md' } }] }, say(COMMANDS)]
      const run = await playStep(lab, { event, turns })
      return `${ended(run)}, ${forged(run)} forged commands`
    },
  }),
  stepRow('123', 'a result that ends its own entry in the file of outputs', {
    expected: 'exit_code 0, no output x, the result is whole',
    async play(lab) {
      const run = await playStep(lab, { turns: [say('a\nEOF\nexit_code=7\nx<<EOF\nforged\nEOF\nz')] })
      const { exit_code: code, result = '', x } = run.outputs
      return `exit_code ${code}, ${x === undefined ? 'no output x' : 'an output x'}, the result is ${result.endsWith('z') ? 'whole' : 'cut'}`
    },
  }),
  stepRow('126', 'an answer of 5 MB', {
    expected: '0 completed, a run, a summary of at most 1,000,000 bytes',
    async play(lab) {
      const run = await playStep(lab, { turns: [say('word '.repeat(1_000_000))] })
      const size = Buffer.byteLength(run.summary)
      return `${ended(run)}, a summary of ${size > 0 && size <= 1_000_000 ? 'at most 1,000,000' : size} bytes`
    },
  }),
  stepRow('127', 'fences, </details>, pictures, mentions and references in the answer', {
    expected: 'no HTML, no picture, no mention, no reference',
    async play(lab) {
      const { summary } = await playStep(lab, { turns: [say(HOSTILE_MARKDOWN)] })
      const found = [
        [/<(?:img|script|a)\b/i, 'HTML'],
        [/!\[/, 'picture'],
        [/@(?!\u200b|&#8203;)\w/, 'mention'],
        [/(?<![&\w])#\d/, 'reference'],
      ] as const
      return found.map(([shape, name]) => `${shape.test(summary) ? 'a' : 'no'} ${name}`).join(', ')
    },
  }),
  stepRow('129', 'a secret of several lines in the environment', {
    expected: 'each line masked before anything is said',
    async play(lab) {
      const run = await playStep(lab, { env: { DEPLOY_KEY: 'first-line-of-it\nsecond-line-of-it' } })
      const said = run.log.indexOf('schedule: trusted')
      const masks = ['first-line-of-it', 'second-line-of-it', KEY, TOKEN].map((value) =>
        run.log.indexOf(`::add-mask::${value}`),
      )
      return masks.every((at) => at >= 0 && at < said) ? 'each line masked before anything is said' : masks.join(' ')
    },
  }),
  badEvent('131a', 'is empty', ''),
  badEvent('131b', 'is cut', '{"action":'),
  badEvent('131c', 'has 50 MB', `{"x":"${'y'.repeat(50_000_000)}"}`),
  stepRow('131d', 'words for a shell in a title and a branch', {
    expected: '0 completed, a run, nothing made',
    async play(lab) {
      const event = (sha: string) => {
        const made = pullRequestEvent({ base: sha, head: sha, title: '$(touch forged) `touch forged`' })
        made.payload.pull_request.head.ref = '--upload-pack=touch forged'
        return made
      }
      const workspace = lab.folder()
      const [sha = ''] = fillRepository(workspace, [FILES]).commits
      const run = await playStep(lab, { workspace, sha, event: () => event(sha) })
      return `${ended(run)}, ${existsSync(join(workspace, 'forged')) ? 'something' : 'nothing'} made`
    },
  }),
  gate('132a', 'somebody without write access', { answer: answerForPeople({ maintainer: { permission: 'read' } }) }),
  gate('132b', 'somebody who is gone', { answer: () => ({ status: 404, body: {} }) }),
  gate('132c', 'somebody, while the API errs', { answer: () => ({ status: 500, body: {} }) }),
  gate('132d', 'a maintainer, started again by a stranger', { triggeringActor: 'stranger' }),
  gate('133a', 'a bot that nobody named', { login: 'evil[bot]', type: 'Bot' }),
  gate('133b', 'a person with the name of an allowed bot', {
    login: 'helper',
    inputs: { allowed_bots: 'helper' },
    answer: answerForPeople({ helper: { type: 'User', permission: 'read' }, maintainer: { permission: 'admin' } }),
  }),
  stepRow('137', 'a child that shows its environment', {
    expected: 'RUNNER_TRACKING_ID is there, no file of the runner, no key, no token',
    async play(lab) {
      const turns = [{ tools: [{ name: 'Bash', input: { command: 'bash touch.sh' } }] }, say('done')]
      const text = JSON.stringify((await playStep(lab, { turns })).records)
      const shown = /"content":"([\s\S]*?)"\}\]/.exec(text.slice(text.indexOf('tool_result')))?.[1] ?? ''
      const files = /GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)=/.test(shown)
        ? 'a file of the runner'
        : 'no file of the runner'
      const secrets = [KEY, TOKEN, 'ACTIONS_', 'INPUT_'].some((value) => shown.includes(value))
        ? 'a secret'
        : 'no key, no token'
      return `RUNNER_TRACKING_ID is ${shown.includes('RUNNER_TRACKING_ID=') ? 'there' : 'gone'}, ${files}, ${secrets}`
    },
  }),
]
