const KEY = 'anthropic_api_key'
const NO_TOKEN = 'The agent has no token: declare `outputs:`, and apply them in a second job.'
const NO_TRIGGER = 'Write the condition as `if:` of the job.'
const NO_CLOUD_LOGIN = 'Log in with a step before this one.'
const NOTHING_INSTALLED = 'Nothing is installed: the action brings its own program.'
const NO_BRANCH = 'The run leaves a patch: a second job makes the branch.'
const NO_PLUGINS = 'Check it out, and name its folder under `plugins:` of the policy.'

/**
 * Inputs of other actions that users may write by habit: the right name, or a sentence on what to do instead. All of
 * claude-code-action 1.0, codex-action 1 and run-gemini-cli 0, and of their first versions.
 */
export const FOREIGN_INPUTS: Readonly<Record<string, string>> = {
  claude_args: 'args',
  codex_args: 'args',
  direct_prompt: 'prompt',
  override_prompt: 'prompt',
  custom_instructions: 'args',
  timeout_minutes: 'timeout',
  allow_bots: 'allowed_bots',
  allow_bot_users: 'allowed_bots',
  allow_users: 'allowed_non_write_users',
  api_key: KEY,
  openai_api_key: KEY,
  gemini_api_key: KEY,
  google_api_key: KEY,
  claude_code_oauth_token: KEY,
  anthropic_federation_rule_id: KEY,
  anthropic_organization_id: KEY,
  anthropic_service_account_id: KEY,
  anthropic_workspace_id: KEY,
  anthropic_oidc_audience: KEY,
  safety_strategy: 'allow_sudo',
  output_schema: 'json_schema',
  output_schema_file: 'json_schema',
  working_dir: 'working_directory',
  anthropic_model: 'model',
  gemini_model: 'model',
  gemini_debug: 'show_full_output',
  effort: 'args',
  fallback_model: 'args',
  system_prompt: 'args',
  append_system_prompt: 'args',
  mode: NO_TRIGGER,
  trigger_phrase: NO_TRIGGER,
  assignee_trigger: NO_TRIGGER,
  label_trigger: NO_TRIGGER,
  track_progress: 'The job summary has the progress.',
  base_branch: NO_BRANCH,
  branch_prefix: NO_BRANCH,
  branch_name_template: NO_BRANCH,
  use_commit_signing: NO_BRANCH,
  ssh_signing_key: NO_BRANCH,
  bot_id: NO_BRANCH,
  bot_name: NO_BRANCH,
  use_sticky_comment: NO_TOKEN,
  include_fix_links: NO_TOKEN,
  classify_inline_comments: NO_TOKEN,
  additional_permissions: 'Write them as `permissions:` of the job; the agent has no token.',
  include_comments_by_actor: NO_TRIGGER,
  exclude_comments_by_actor: NO_TRIGGER,
  claude_env: 'Write `env: { set: … }` in the policy.',
  exec_user: 'The sandbox holds the commands; the step runs as its user.',
  codex_user: 'The sandbox holds the commands; the step runs as its user.',
  experimental_allowed_domains: 'Write `sandbox: { network: … }` in the policy.',
  sandbox: 'Write `sandbox: { mode: required }` and rules in the policy.',
  permission_profile: 'Write `sandbox: { mode: required }` and rules in the policy.',
  codex_home: 'Only the policy and what it names is read.',
  use_bedrock: 'Set CLAUDE_CODE_USE_BEDROCK as `env:` of the step.',
  use_vertex: 'Set CLAUDE_CODE_USE_VERTEX as `env:` of the step.',
  use_vertex_ai: 'Set CLAUDE_CODE_USE_VERTEX as `env:` of the step.',
  use_foundry: 'Set CLAUDE_CODE_USE_FOUNDRY as `env:` of the step.',
  use_gemini_code_assist: 'Requests go to the Messages API: set ANTHROPIC_BASE_URL for a gateway.',
  responses_api_endpoint: 'Requests go to the Messages API: set ANTHROPIC_BASE_URL for a gateway.',
  gcp_location: NO_CLOUD_LOGIN,
  gcp_project_id: NO_CLOUD_LOGIN,
  gcp_service_account: NO_CLOUD_LOGIN,
  gcp_workload_identity_provider: NO_CLOUD_LOGIN,
  gcp_token_format: NO_CLOUD_LOGIN,
  gcp_access_token_scopes: NO_CLOUD_LOGIN,
  path_to_claude_code_executable: NOTHING_INSTALLED,
  path_to_bun_executable: NOTHING_INSTALLED,
  codex_version: NOTHING_INSTALLED,
  gemini_cli_version: NOTHING_INSTALLED,
  use_pnpm: NOTHING_INSTALLED,
  plugins: NO_PLUGINS,
  plugin_marketplaces: NO_PLUGINS,
  extensions: NO_PLUGINS,
  upload_artifacts: 'Upload the files with actions/upload-artifact; the outputs of the step name them.',
  workflow_name: 'The environment of the job has it.',
}

/** The right name of an input, or what to do instead; undefined for what no other action has. */
export function findForeignInput(name: string): string | undefined {
  return Object.hasOwn(FOREIGN_INPUTS, name) ? FOREIGN_INPUTS[name] : undefined
}
