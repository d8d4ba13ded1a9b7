import { type Flag, toggle, valued } from './Flag.ts'
import { RUN_FLAGS } from './flags.ts'

/** One command, its arguments and its flags. */
export type CommandInfo = {
  readonly describe: string
  /** Names of the positional arguments: `[A]` may be left out, `A…` may be repeated. */
  readonly usage: string
  /** The values that an argument takes, each with a description. */
  readonly values: Readonly<Record<string, string>>
  readonly flags: Readonly<Record<string, Flag>>
}

const { policy, cwd, verbose, allowedTools, disallowedTools, settings } = RUN_FLAGS
const json = toggle('print JSON')
const common = { cwd, verbose }
const ofRules = { allowedTools, disallowedTools, 'permission-mode': RUN_FLAGS['permission-mode'] }
const ofPolicy = { ...common, policy, settings, ...ofRules }

const ofServers = {
  'mcp-config': RUN_FLAGS['mcp-config'],
  'strict-mcp-config': RUN_FLAGS['strict-mcp-config'],
  'plugin-dir': RUN_FLAGS['plugin-dir'],
}

function command(usage: string, describe: string, flags: CommandInfo['flags'], values = {}): CommandInfo {
  return { usage, describe, flags, values }
}

/** The commands by name; the default is `run`. */
export const COMMANDS = {
  run: command('[prompt]', 'run the agent on a task', RUN_FLAGS),
  'policy check': command('FILE…', 'find mistakes in policies; exit 78 on errors', { ...common, json }),
  'policy explain': command('[CALL]', "show how a call such as 'Bash(git push)' is decided; run nothing", {
    ...ofPolicy,
    json,
    tool: valued('text', 'NAME', 'the tool, with --input'),
    input: valued('text', 'JSON', "the tool's input"),
    batch: toggle('read calls as JSON lines from stdin: {"tool", "input"}'),
  }),
  'policy test': command('FILE', 'run the `tests:` of a policy; exit 1 if one fails', {
    ...common,
    json,
    junit: valued('file', 'FILE', 'write a JUnit report to this file'),
    replay: valued('file', 'FILE', 'a script of turns (`.yml`) whose every call must be denied'),
  }),
  'policy presets': command('[NAME]', 'list the sets of rules for `presets:`, or print the file of one', common),
  'policy suggest': command('TRANSCRIPT…', 'suggest rules for what runs did or asked for', {
    ...ofPolicy,
    json,
    apply: toggle('add the rules to the file of --policy'),
  }),
  'policy replay': command('TRANSCRIPT…', 'judge the calls and changes of old runs under another policy', {
    ...ofPolicy,
    json,
    'expect-same': toggle('exit 1 if anything differs'),
  }),
  'policy diff': command('OLD NEW', 'show what only one of two policies allows, with example calls', {
    ...common,
    json,
    'no-wider': toggle('exit 1 if NEW allows more'),
  }),
  'policy schema': command('', 'print the JSON Schema of the policy file', common),
  tools: command('', 'list the tools that a policy gives', {
    ...ofPolicy,
    json,
    tools: RUN_FLAGS.tools,
    bare: RUN_FLAGS.bare,
  }),
  mcp: command('', 'start the MCP servers of a policy, list their tools, and stop', {
    ...ofPolicy,
    ...ofServers,
    json,
    lock: toggle('pin the tool lists in `mcp.lock` beside the policy'),
  }),
  apply: command('OUTPUTS', 'apply what a run proposed, within `outputs:` of the policy; needs GITHUB_TOKEN', {
    ...common,
    policy,
    json,
    repo: valued('text', 'OWNER/NAME', 'the repository', { fallback: 'GITHUB_REPOSITORY' }),
    target: valued('count', 'N', 'the issue or pull request that triggered the run'),
    'dry-run': toggle('show each text with its target, and what would be refused; change nothing'),
  }),
  init: command(
    '[JOB]',
    'write a policy and a CI job for this repository; overwrite nothing',
    {
      ...common,
      use: valued('text', 'REF', 'where CI gets kode-run from: a commit, OWNER/NAME@COMMIT, or ./PATH'),
    },
    {
      fix: 'work on an issue when somebody asks for it (the default)',
      review: 'review each pull request',
      nightly: 'update dependencies every night',
      triage: 'propose labels for each new issue',
    },
  ),
  verify: command('TRANSCRIPT', 'check that a transcript is complete and unchanged; exit 65 if it is not', {
    ...common,
    json,
    head: valued('text', 'SHA256', 'a hash saved elsewhere, which the transcript must contain'),
    attestation: valued(
      'file',
      'FILE',
      'a statement of `--attest`, or a signed bundle of it, which must be about this transcript',
    ),
  }),
  report: command('TRANSCRIPT…', 'render one or more transcripts as one report', {
    ...common,
    format: valued('choice', 'FORMAT', 'format of the report', {
      choices: ['markdown', 'html', 'json', 'junit', 'sarif', 'code-quality'],
      fallback: 'markdown',
    }),
    output: valued('file', 'FILE', 'write to this file instead of stdout', { alias: ['o'] }),
    merge: toggle('one row for each run, also of all transcripts below folders; markdown, html, json'),
  }),
  usage: command('[LEDGER]', 'show what runs have spent', {
    ...common,
    json,
    by: valued('choice', 'WHAT', 'one row for each', {
      choices: ['day', 'repository', 'workflow', 'model'],
      fallback: 'day',
    }),
    since: valued('text', 'DATE', 'from this day on'),
  }),
  doctor: command('', 'check Node, git, sandbox, key, endpoint, policy and MCP servers; change nothing', {
    ...ofPolicy,
    ...ofServers,
    json,
    'api-key-file': RUN_FLAGS['api-key-file'],
    'allow-insecure-base-url': RUN_FLAGS['allow-insecure-base-url'],
  }),
  completion: command('SHELL', 'print a completion script: bash, zsh or fish', common),
  help: command('[COMMAND]', 'explain a command and its flags', {}),
  version: command('', 'print the version', {}),
} satisfies Record<string, CommandInfo>

export type CommandName = keyof typeof COMMANDS
