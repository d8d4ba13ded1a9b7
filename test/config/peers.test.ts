import { expect, it } from 'vitest'
import type { Flag } from '../../src/config/Flag.ts'
import { RUN_FLAGS } from '../../src/config/flags.ts'
import { FOREIGN_FLAGS } from '../../src/config/foreignFlags.ts'
import { FOREIGN_INPUTS, INPUTS } from '../../src/github/inputs.ts'

/** What the programs' `--help` lists. To renew: the flags of the newest versions, each by each name. */
const FLAGS = {
  'claude --help, 2.1.332':
    'add-dir agent agents allow-dangerously-skip-permissions allowedTools allowed-tools append-system-prompt autocompact ax-screen-reader bg background bare betas brief chrome cloud c continue dangerously-skip-permissions d debug debug-file desktop disable-slash-commands disallowedTools disallowed-tools effort environment exclude-dynamic-system-prompt-sections fallback-model file fork-session forward-subagent-text from-pr h help ide include-hook-events include-partial-messages input-format json-schema max-budget-usd mcp-config model n name no-chrome no-session-persistence output-format permission-mode permission-prompts plugin-dir plugin-url p print prompt-suggestions remote-control remote-control-session-name-prefix replay-user-messages restricted r resume safe-mode session-id setting-sources settings strict-mcp-config system-prompt system-prompt-snapshot teleport tmux tools verbose v version w worktree',
  'codex exec --help and codex exec resume --help, 0.171.0':
    'c config enable disable remote remote-auth-token-env strict-config i image m model oss local-provider p profile s sandbox approve-for-me dangerously-bypass-approvals-and-sandbox dangerously-bypass-hook-trust C cd worktree add-dir thread-source cyber-access-program skip-git-repo-check trust ephemeral ignore-user-config ignore-rules output-schema color json o output-last-message h help V version last all',
  'gemini --help, 0.61.0':
    'd debug m model p prompt i prompt-interactive skip-trust w worktree s sandbox y yolo approval-mode policy admin-policy acp experimental-acp allowed-mcp-server-names allowed-tools e extensions l list-extensions r resume session-file session-id list-sessions delete-session include-directories screen-reader o output-format raw-output accept-raw-output-risk v version h help',
}

/** The inputs in their `action.yml`. */
const ACTIONS = {
  'claude-code-action 1.0':
    'trigger_phrase assignee_trigger label_trigger base_branch branch_prefix branch_name_template allowed_bots allowed_non_write_users include_comments_by_actor exclude_comments_by_actor prompt settings anthropic_api_key claude_code_oauth_token github_token use_bedrock use_vertex use_foundry claude_args additional_permissions use_sticky_comment use_commit_signing ssh_signing_key bot_id bot_name track_progress include_fix_links path_to_claude_code_executable path_to_bun_executable show_full_output plugins plugin_marketplaces',
  'claude-code-action 0':
    'mode model anthropic_model fallback_model allowed_tools disallowed_tools custom_instructions direct_prompt override_prompt mcp_config claude_env max_turns timeout_minutes exec_user experimental_allowed_domains',
  'codex-action 1':
    'prompt prompt-file output-file openai-api-key responses-api-endpoint working-directory sandbox permission-profile codex-version codex-args output-schema output-schema-file model effort codex-home safety-strategy codex-user allow-users allow-bots allow-bot-users',
  'run-gemini-cli 0':
    'gcp_location gcp_project_id gcp_service_account gcp_workload_identity_provider gcp_token_format gcp_access_token_scopes gemini_api_key gemini_cli_version gemini_debug gemini_model google_api_key prompt settings use_gemini_code_assist use_vertex_ai extensions upload_artifacts use_pnpm workflow_name',
}

/** Of every program. */
const COMMON = ['h', 'help', 'v', 'V', 'version']

it.each(Object.entries(FLAGS))('has an answer to each flag of %s', (_, names) => {
  const own = Object.entries(RUN_FLAGS).flatMap(([name, { alias = [] }]: [string, Flag]) => [name, ...alias])
  const known = new Set([...COMMON, ...own, ...Object.keys(FOREIGN_FLAGS)])
  expect(names.split(' ').filter((name) => !known.has(name))).toEqual([])
})

it.each(Object.entries(ACTIONS))('has an answer to each input of %s', (_, names) => {
  const known = new Set([...Object.keys(INPUTS), ...Object.keys(FOREIGN_INPUTS)])
  expect(names.split(' ').filter((name) => !known.has(name.replaceAll('-', '_')))).toEqual([])
})
