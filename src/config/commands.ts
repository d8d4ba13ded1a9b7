import { type Flag, RUN_FLAGS } from './flags.ts'

/** One command: what it takes besides its flags. */
export type CommandInfo = {
  readonly describe: string
  /** Names of the positional arguments, for help. */
  readonly usage: string
  readonly least: number
  readonly most: number
  readonly flags: Readonly<Record<string, Flag>>
}

const { policy, cwd, verbose, allowedTools, disallowedTools, settings } = RUN_FLAGS
const permissionMode = RUN_FLAGS['permission-mode']
const json: Flag = { kind: 'switch', describe: 'print JSON' }
const common = { cwd, verbose } as const
const ofPolicy = {
  ...common,
  policy,
  settings,
  allowedTools,
  disallowedTools,
  'permission-mode': permissionMode,
} as const

/** The commands by name; the default is `run`. */
export const COMMANDS = {
  run: { describe: 'one run: a task, a policy, a checkout', usage: '[prompt]', least: 0, most: 1, flags: RUN_FLAGS },
  'policy check': {
    describe: 'lint policies: schema, unknown tools, dead and shadowed rules; exit 78 on errors',
    usage: 'FILE…',
    least: 1,
    most: 1000,
    flags: { ...common, json },
  },
  'policy explain': {
    describe: "decide one call without running it: 'Bash(git push)'",
    usage: '[CALL]',
    least: 0,
    most: 1,
    flags: {
      ...ofPolicy,
      json,
      tool: { kind: 'text', value: 'NAME', describe: 'the tool, with --input' },
      input: { kind: 'text', value: 'JSON', describe: "the tool's input" },
      batch: { kind: 'switch', describe: 'read calls as JSON lines from stdin: {"tool", "input"}' },
    },
  },
  'policy test': {
    describe: 'run the `tests:` of a policy; exit 1 on a failure',
    usage: 'FILE',
    least: 1,
    most: 1,
    flags: {
      ...common,
      json,
      junit: { kind: 'file', value: 'FILE', describe: 'write a JUnit report there' },
      replay: { kind: 'file', value: 'FILE', describe: 'a script of turns (`.yml`) whose every call must be denied' },
    },
  },
  'policy schema': {
    describe: 'print the JSON Schema of the policy file',
    usage: '',
    least: 0,
    most: 0,
    flags: { ...common },
  },
  tools: {
    describe: 'the tool pool that a policy gives',
    usage: '',
    least: 0,
    most: 0,
    flags: { ...ofPolicy, json, tools: RUN_FLAGS.tools, bare: RUN_FLAGS.bare },
  },
  mcp: {
    describe: 'start every MCP server of a policy, list its tools and status, stop',
    usage: '',
    least: 0,
    most: 0,
    flags: {
      ...ofPolicy,
      json,
      'mcp-config': RUN_FLAGS['mcp-config'],
      'strict-mcp-config': RUN_FLAGS['strict-mcp-config'],
      lock: { kind: 'switch', describe: 'pin the tool lists in `mcp.lock` beside the policy' },
    },
  },
  apply: {
    describe: 'do what a run proposed, as far as `outputs:` of the policy goes; needs GITHUB_TOKEN, no model',
    usage: 'OUTPUTS',
    least: 1,
    most: 1,
    flags: {
      ...common,
      policy,
      json,
      repo: { kind: 'text', value: 'OWNER/NAME', describe: 'the repository', fallback: 'GITHUB_REPOSITORY' },
      target: { kind: 'count', value: 'N', describe: 'the issue or pull request that set the run off' },
      'dry-run': { kind: 'switch', describe: 'say what would be refused; do nothing' },
    },
  },
  init: {
    describe: 'write a commented policy and a workflow that fit this repository; overwrites nothing',
    usage: '',
    least: 0,
    most: 0,
    flags: { ...common },
  },
  verify: {
    describe:
      'check a transcript: hash chain, pairs of call and result, end record; exit 65 names the first bad record',
    usage: 'TRANSCRIPT',
    least: 1,
    most: 1,
    flags: {
      ...common,
      json,
      head: { kind: 'text', value: 'SHA256', describe: 'a head that was noted elsewhere must be in it' },
    },
  },
  report: {
    describe: 'render transcripts; several are merged',
    usage: 'TRANSCRIPT…',
    least: 1,
    most: 100_000,
    flags: {
      ...common,
      format: {
        kind: 'choice',
        value: 'FORMAT',
        choices: ['markdown', 'html', 'json', 'junit', 'sarif', 'code-quality'],
        describe: 'what to write',
        fallback: 'markdown',
      },
      output: { kind: 'file', value: 'FILE', alias: ['o'], describe: 'write there instead of to stdout' },
    },
  },
} as const satisfies Record<string, CommandInfo>

export type CommandName = keyof typeof COMMANDS
