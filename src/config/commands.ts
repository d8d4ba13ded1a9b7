import type { Flag } from './Flag.ts'
import { RUN_FLAGS } from './flags.ts'

/** One command, its arguments and its flags. */
export type CommandInfo = {
  readonly describe: string
  /** Names of the positional arguments: `[A]` may be left out, `A…` may be repeated. */
  readonly usage: string
  /** The values that an argument takes, each with a description. */
  readonly values?: Readonly<Record<string, string>>
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

const ofServers = {
  'mcp-config': RUN_FLAGS['mcp-config'],
  'strict-mcp-config': RUN_FLAGS['strict-mcp-config'],
  'plugin-dir': RUN_FLAGS['plugin-dir'],
} as const

/** The commands by name; the default is `run`. */
export const COMMANDS = {
  run: { describe: 'run the agent on a task', usage: '[prompt]', flags: RUN_FLAGS },
  'policy check': {
    describe: 'find mistakes in policies; exit 78 on errors',
    usage: 'FILE…',
    flags: { ...common, json },
  },
  'policy explain': {
    describe: "show how a call such as 'Bash(git push)' is decided; run nothing",
    usage: '[CALL]',
    flags: {
      ...ofPolicy,
      json,
      tool: { kind: 'text', value: 'NAME', describe: 'the tool, with --input' },
      input: { kind: 'text', value: 'JSON', describe: "the tool's input" },
      batch: { kind: 'switch', describe: 'read calls as JSON lines from stdin: {"tool", "input"}' },
    },
  },
  'policy test': {
    describe: 'run the `tests:` of a policy; exit 1 if one fails',
    usage: 'FILE',
    flags: {
      ...common,
      json,
      junit: { kind: 'file', value: 'FILE', describe: 'write a JUnit report to this file' },
      replay: { kind: 'file', value: 'FILE', describe: 'a script of turns (`.yml`) whose every call must be denied' },
    },
  },
  'policy presets': {
    describe: 'list the sets of rules for `presets:`, or print the file of one',
    usage: '[NAME]',
    flags: { ...common },
  },
  'policy suggest': {
    describe: 'suggest rules for what runs did or asked for',
    usage: 'TRANSCRIPT…',
    flags: { ...ofPolicy, json, apply: { kind: 'switch', describe: 'add the rules to the file of --policy' } },
  },
  'policy replay': {
    describe: 'judge the calls and changes of old runs under another policy',
    usage: 'TRANSCRIPT…',
    flags: { ...ofPolicy, json, 'expect-same': { kind: 'switch', describe: 'exit 1 if anything differs' } },
  },
  'policy diff': {
    describe: 'show what only one of two policies allows, with example calls',
    usage: 'OLD NEW',
    flags: { ...common, json, 'no-wider': { kind: 'switch', describe: 'exit 1 if NEW allows more' } },
  },
  'policy schema': {
    describe: 'print the JSON Schema of the policy file',
    usage: '',
    flags: { ...common },
  },
  tools: {
    describe: 'list the tools that a policy gives',
    usage: '',
    flags: { ...ofPolicy, json, tools: RUN_FLAGS.tools, bare: RUN_FLAGS.bare },
  },
  mcp: {
    describe: 'start the MCP servers of a policy, list their tools, and stop',
    usage: '',
    flags: {
      ...ofPolicy,
      ...ofServers,
      json,
      lock: { kind: 'switch', describe: 'pin the tool lists in `mcp.lock` beside the policy' },
    },
  },
  apply: {
    describe: 'apply what a run proposed, within `outputs:` of the policy; needs GITHUB_TOKEN',
    usage: 'OUTPUTS',
    flags: {
      ...common,
      policy,
      json,
      repo: { kind: 'text', value: 'OWNER/NAME', describe: 'the repository', fallback: 'GITHUB_REPOSITORY' },
      target: { kind: 'count', value: 'N', describe: 'the issue or pull request that triggered the run' },
      'dry-run': {
        kind: 'switch',
        describe: 'show each text with its target, and what would be refused; change nothing',
      },
    },
  },
  init: {
    describe: 'write a policy and a CI job for this repository; overwrite nothing',
    usage: '[JOB]',
    values: {
      fix: 'work on an issue when somebody asks for it; without JOB',
      review: 'review each pull request',
      nightly: 'update dependencies every night',
      triage: 'propose labels for each new issue',
    },
    flags: {
      ...common,
      use: {
        kind: 'text',
        value: 'REF',
        describe: 'where CI gets kode-run from: a commit, OWNER/NAME@COMMIT, or ./PATH',
      },
    },
  },
  verify: {
    describe: 'check that a transcript is complete and unchanged; exit 65 if it is not',
    usage: 'TRANSCRIPT',
    flags: {
      ...common,
      json,
      head: { kind: 'text', value: 'SHA256', describe: 'a hash saved elsewhere, which the transcript must contain' },
      attestation: {
        kind: 'file',
        value: 'FILE',
        describe: 'a statement of `--attest`, or a signed bundle of it, which must be about this transcript',
      },
    },
  },
  report: {
    describe: 'render one or more transcripts as one report',
    usage: 'TRANSCRIPT…',
    flags: {
      ...common,
      format: {
        kind: 'choice',
        value: 'FORMAT',
        choices: ['markdown', 'html', 'json', 'junit', 'sarif', 'code-quality'],
        describe: 'format of the report',
        fallback: 'markdown',
      },
      output: { kind: 'file', value: 'FILE', alias: ['o'], describe: 'write to this file instead of stdout' },
      merge: {
        kind: 'switch',
        describe: 'one row for each run, also of all transcripts below folders; markdown, html, json',
      },
    },
  },
  usage: {
    describe: 'show what runs have spent',
    usage: '[LEDGER]',
    flags: {
      ...common,
      json,
      by: {
        kind: 'choice',
        value: 'WHAT',
        choices: ['day', 'repository', 'workflow', 'model'],
        describe: 'one row for each',
        fallback: 'day',
      },
      since: { kind: 'text', value: 'DATE', describe: 'from this day on' },
    },
  },
  doctor: {
    describe: 'check Node, git, sandbox, key, endpoint, policy and MCP servers; change nothing',
    usage: '',
    flags: {
      ...ofPolicy,
      ...ofServers,
      json,
      'api-key-file': RUN_FLAGS['api-key-file'],
    },
  },
  completion: {
    describe: 'print a completion script: bash, zsh or fish',
    usage: 'SHELL',
    flags: { ...common },
  },
  help: {
    describe: 'explain a command and its flags',
    usage: '[COMMAND]',
    flags: {},
  },
  version: { describe: 'print the version', usage: '', flags: {} },
} as const satisfies Record<string, CommandInfo>

export type CommandName = keyof typeof COMMANDS
