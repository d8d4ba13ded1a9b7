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
import type { Play, Plays } from '../readMatrix.ts'

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
  const answers = answer ?? answerForPeople({ maintainer: { permission: 'admin' } })
  const server = await startGitHubServer(answers, lab.onClose)
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

/** An event file that is not what GitHub writes. */
function badEvent(text: string): Play {
  return async (lab) => {
    const file = join(lab.folder(), 'event.json')
    writeFileSync(file, text)
    return ended(await playStep(lab, { env: { GITHUB_EVENT_PATH: file } }))
  }
}

/** A comment by somebody, and what GitHub says of them. */
function gate(given: Given & { readonly login?: string; readonly type?: string }): Play {
  const { login = 'maintainer', type = 'User', ...rest } = given
  return async (lab) =>
    ended(await playStep(lab, { event: () => commentEvent({ user: { login, type } }), actor: login, ...rest }))
}

const COMMANDS = '::error::forged\n##[error]forged\r::add-mask::e\u2028::stop-commands::x\n\u00a0::warning::forged'

/** Faults of what GitHub shows and hands over. */
export const githubFaults: Plays = {
  async '121'(lab) {
    const event = (sha: string) => pullRequestEvent({ base: sha, head: sha, title: COMMANDS })
    const turns = [{ say: COMMANDS, tools: [{ name: 'Bash', input: { command: 'cat README.md' } }] }, say(COMMANDS)]
    const run = await playStep(lab, { event, turns })
    return `${ended(run)}, ${forged(run)} forged commands`
  },

  async '123'(lab) {
    const run = await playStep(lab, { turns: [say('a\nEOF\nexit_code=7\nx<<EOF\nforged\nEOF\nz')] })
    const { exit_code: code, result = '', x } = run.outputs
    return `exit_code ${code}, ${x === undefined ? 'no output x' : 'an output x'}, the result is ${result.endsWith('z') ? 'whole' : 'cut'}`
  },

  async '126'(lab) {
    const run = await playStep(lab, { turns: [say('word '.repeat(1_000_000))] })
    const size = Buffer.byteLength(run.summary)
    return `${ended(run)}, a summary of ${size > 0 && size <= 1_000_000 ? 'at most 1,000,000' : size} bytes`
  },

  async '127'(lab) {
    const { summary } = await playStep(lab, { turns: [say(HOSTILE_MARKDOWN)] })
    const found = [
      [/<(?:img|script|a)\b/i, 'HTML'],
      [/!\[/, 'picture'],
      [/@(?!\u200b|&#8203;)\w/, 'mention'],
      [/(?<![&\w])#\d/, 'reference'],
    ] as const
    return found.map(([shape, name]) => `${shape.test(summary) ? 'a' : 'no'} ${name}`).join(', ')
  },

  async '129'(lab) {
    const run = await playStep(lab, { env: { DEPLOY_KEY: 'first-line-of-it\nsecond-line-of-it' } })
    const said = run.log.indexOf('schedule: trusted')
    const masks = ['first-line-of-it', 'second-line-of-it', KEY, TOKEN].map((value) =>
      run.log.indexOf(`::add-mask::${value}`),
    )
    return masks.every((at) => at >= 0 && at < said) ? 'each line masked before anything is said' : masks.join(' ')
  },

  '131a': badEvent(''),
  '131b': badEvent('{"action":'),
  '131c': badEvent(`{"x":"${'y'.repeat(50_000_000)}"}`),

  async '131d'(lab) {
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

  '132a': gate({ answer: answerForPeople({ maintainer: { permission: 'read' } }) }),
  '132b': gate({ answer: () => ({ status: 404, body: {} }) }),
  '132c': gate({ answer: () => ({ status: 500, body: {} }) }),
  '132d': gate({ triggeringActor: 'stranger' }),
  '133a': gate({ login: 'evil[bot]', type: 'Bot' }),
  '133b': gate({
    login: 'helper',
    inputs: { allowed_bots: 'helper' },
    answer: answerForPeople({ helper: { type: 'User', permission: 'read' }, maintainer: { permission: 'admin' } }),
  }),

  async '137'(lab) {
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
}
