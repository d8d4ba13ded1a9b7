import { RunError } from '../contracts/errors.ts'
import { nearest } from '../lib/text/nearest.ts'

/** One input of the action, with the flag that it sets, if any. */
type Input = { readonly flag?: string; readonly kind?: 'text' | 'switch' }

/** The inputs of `action.yml`. A test keeps both in step. */
export const INPUTS = {
  prompt: {},
  prompt_file: { flag: 'prompt-file' },
  policy: { flag: 'policy' },
  model: { flag: 'model' },
  max_turns: { flag: 'max-turns' },
  max_budget_usd: { flag: 'max-budget-usd' },
  ledger: { flag: 'ledger' },
  timeout: { flag: 'timeout' },
  settings: { flag: 'settings' },
  mcp_config: { flag: 'mcp-config' },
  allowed_tools: { flag: 'allowedTools' },
  disallowed_tools: { flag: 'disallowedTools' },
  json_schema: { flag: 'json-schema' },
  anthropic_api_key: {},
  github_token: {},
  working_directory: { flag: 'cwd' },
  allowed_bots: {},
  allowed_non_write_users: {},
  allow_sudo: { kind: 'switch' },
  fail_on_denied: { flag: 'fail-on-denied', kind: 'switch' },
  show_full_output: { flag: 'verbose', kind: 'switch' },
  output_file: { flag: 'output-last-message' },
  args: {},
} as const satisfies Record<string, Input>

export type InputName = keyof typeof INPUTS
export type Inputs = Readonly<Partial<Record<InputName, string>>>

/**
 * The inputs from the runner (`INPUT_…`), without empty ones. An unknown input is a `usage` error that names the right
 * one, because an ignored limit would be worse than no run.
 */
export function readInputs(environment: Readonly<Record<string, string | undefined>>): Inputs {
  const given: Partial<Record<InputName, string>> = {}
  const faults: string[] = []
  for (const [variable, value = ''] of Object.entries(environment)) {
    if (!variable.startsWith('INPUT_') || value.trim() === '') continue
    const name = variable.slice('INPUT_'.length).toLowerCase()
    if (isInput(name)) given[name] = value.trim()
    else faults.push(`There is no input ${name}${adviceFor(name)}`)
  }
  if (faults.length > 0) throw new RunError('usage', faults.join('\n'))
  return given
}

function isInput(name: string): name is InputName {
  return Object.hasOwn(INPUTS, name)
}

function adviceFor(name: string): string {
  const word = name.replaceAll('-', '_')
  const foreign = Object.hasOwn(FOREIGN_INPUTS, word) ? FOREIGN_INPUTS[word] : undefined
  const right = isInput(word) ? word : (foreign ?? nearest(word, Object.keys(INPUTS)))
  if (right === undefined) return `: the inputs are ${Object.keys(INPUTS).join(', ')}.`
  return isInput(right) ? `: write \`${right}\`.` : `. ${right}`
}

/** The inputs as arguments of `kode-run run`, without prompt, key and what the event decides. No shell is involved. */
export function toArguments(inputs: Inputs): string[] {
  const flags = Object.entries(INPUTS).flatMap(([name, input]: [string, Input]) => {
    const value = inputs[name as InputName]
    if (input.flag === undefined || value === undefined) return []
    if (input.kind === 'switch') return readSwitch(name, value) ? [`--${input.flag}`] : []
    return [`--${input.flag}=${value}`]
  })
  return ['run', ...flags, ...splitWords(inputs.args ?? '')]
}

/** `true` or `false`; anything else is a `usage` error that names the input. */
export function readSwitch(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new RunError('usage', `${name}: write true or false.`)
  return value === 'true'
}

/** Names separated by commas or white space. */
export function splitNames(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((name) => name !== '')
}

/** Splits words at white space outside quotes, as a shell would, but with no other shell syntax. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (quote === '' && /\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (quote === '' && (sign === '"' || sign === "'")) {
      quote = sign
      word ??= ''
    } else if (sign === quote) quote = ''
    else if (sign === '\\' && quote !== "'" && at + 1 < text.length) word = (word ?? '') + text.charAt(++at)
    else word = (word ?? '') + sign
  }
  if (quote !== '') throw new RunError('usage', `args: a ${quote} is not closed.`)
  return word === undefined ? words : [...words, word]
}

/** The right name of inputs, or a sentence on what to do instead, and those that it answers. */
const ADVICE = {
  args: 'claude_args codex_args',
  'Write it as a flag in `args`, such as `--append-system-prompt "…"`.':
    'custom_instructions effort fallback_model system_prompt append_system_prompt',
  prompt: 'direct_prompt override_prompt',
  timeout: 'timeout_minutes',
  allowed_bots: 'allow_bots allow_bot_users',
  allowed_non_write_users: 'allow_users',
  anthropic_api_key:
    'api_key openai_api_key gemini_api_key google_api_key claude_code_oauth_token anthropic_federation_rule_id anthropic_organization_id anthropic_service_account_id anthropic_workspace_id anthropic_oidc_audience',
  allow_sudo: 'safety_strategy',
  json_schema: 'output_schema output_schema_file',
  working_directory: 'working_dir',
  model: 'anthropic_model gemini_model',
  show_full_output: 'gemini_debug',
  'Write the condition as `if:` of the job.':
    'mode trigger_phrase assignee_trigger label_trigger include_comments_by_actor exclude_comments_by_actor',
  'The job summary has the progress.': 'track_progress',
  'The run leaves a patch: a second job makes the branch.':
    'base_branch branch_prefix branch_name_template use_commit_signing ssh_signing_key bot_id bot_name',
  'The agent has no token: declare `outputs:`, and apply them in a second job.':
    'use_sticky_comment include_fix_links classify_inline_comments',
  'Write them as `permissions:` of the job; the agent has no token.': 'additional_permissions',
  'Write `env: { set: … }` in the policy.': 'claude_env',
  'The sandbox holds the commands; the step runs as its user.': 'exec_user codex_user',
  'Write `sandbox: { network: … }` in the policy.': 'experimental_allowed_domains',
  'Write `sandbox: { mode: required }` and rules in the policy.': 'sandbox permission_profile',
  'Only the policy and what it names is read.': 'codex_home',
  'Set CLAUDE_CODE_USE_BEDROCK as `env:` of the step.': 'use_bedrock',
  'Set CLAUDE_CODE_USE_VERTEX as `env:` of the step.': 'use_vertex use_vertex_ai',
  'Set CLAUDE_CODE_USE_FOUNDRY as `env:` of the step.': 'use_foundry',
  'Requests go to the Messages API: set ANTHROPIC_BASE_URL for a gateway.':
    'use_gemini_code_assist responses_api_endpoint',
  'Log in with a step before this one.':
    'gcp_location gcp_project_id gcp_service_account gcp_workload_identity_provider gcp_token_format gcp_access_token_scopes',
  'Nothing is installed: the action brings its own program.':
    'path_to_claude_code_executable path_to_bun_executable codex_version gemini_cli_version use_pnpm',
  'Check the plugin out, and name its folder under `plugins:` of the policy.': 'plugins plugin_marketplaces extensions',
  'Upload the files with actions/upload-artifact; the outputs of the step name them.': 'upload_artifacts',
  'The environment of the job has it.': 'workflow_name',
}

/**
 * Inputs of other actions that users may write by habit, and the answer to each. All of claude-code-action 1.0,
 * codex-action 1 and run-gemini-cli 0, and of their first versions.
 */
export const FOREIGN_INPUTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ADVICE).flatMap(([advice, names]) => names.split(' ').map((name) => [name, advice])),
)
