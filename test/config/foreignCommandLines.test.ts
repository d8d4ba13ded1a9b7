import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/config/parseArguments.ts'
import { splitWords } from '../../src/github/inputs.ts'

type Row = readonly [line: string, becomes: Readonly<Record<string, unknown>> | string]

function parse(line: string) {
  const [program = '', ...words] = splitWords(line)
  expect(['claude', 'codex', 'gemini']).toContain(program)
  return parseArguments(words)
}

/** A flag's or the prompt's value; `warns`: what is said of flags without effect. */
function checkRow(line: string, becomes: Row[1]): void {
  if (typeof becomes === 'string') {
    expect(() => parse(line)).toThrow(becomes)
    return
  }
  const invocation = parse(line)
  if (invocation.show !== undefined) {
    expect(invocation).toMatchObject(becomes)
    return
  }
  const { prompt, warns, command = 'run', ...flags } = becomes
  expect(invocation.command).toBe(command)
  expect([invocation.positionals, invocation.warnings?.join('\n') ?? '']).toEqual([
    prompt === undefined ? [] : [prompt],
    warns === undefined ? '' : expect.stringContaining(String(warns)),
  ])
  expect(invocation.flags).toMatchObject(flags)
}

/** From the CLI reference and the page on headless mode of Claude Code. */
const CLAUDE: readonly Row[] = [
  ['claude -p "explain this function"', { prompt: 'explain this function' }],
  ['claude "explain this project"', { prompt: 'explain this project' }],
  ['claude -p review', { prompt: 'review' }],
  ['claude -p --prompt-suggestions false review', { prompt: 'review', warns: '--prompt-suggestions has no effect' }],
  ['claude --prompt-suggestions -p review', { prompt: 'review', warns: '--prompt-suggestions has no effect' }],
  ['claude -p --output-format json "List the TODOs"', { 'output-format': 'json', prompt: 'List the TODOs' }],
  ['claude -c -p "Check for type errors"', { resume: 'last', prompt: 'Check for type errors' }],
  ['claude --continue', { resume: 'last' }],
  ['claude -r auth-refactor "Finish this PR"', { resume: 'auth-refactor', prompt: 'Finish this PR' }],
  ['claude --resume abc123 --fork-session -p "go on"', { resume: 'abc123', prompt: 'go on', 'fork-session': true }],
  ['claude --add-dir ../apps ../lib', { 'add-dir': ['../apps', '../lib'] }],
  [
    'claude -p "Fix it" --allowedTools "Bash(git log *)" "Bash(git diff *)" Read',
    { allowedTools: ['Bash(git log *)', 'Bash(git diff *)', 'Read'], prompt: 'Fix it' },
  ],
  [
    'claude --allowed-tools "Bash(git:*)" "Check the status"',
    { allowedTools: ['Bash(git:*)'], prompt: 'Check the status' },
  ],
  [
    'claude -p "Look" --disallowedTools Edit Write mcp__github',
    { disallowedTools: ['Edit', 'Write', 'mcp__github'], prompt: 'Look' },
  ],
  ['claude --tools "" -p "Think"', { tools: [], prompt: 'Think' }],
  ['claude --tools default -p "Think"', { tools: ['default'], prompt: 'Think' }],
  ['claude -p "Look" --tools "Read,Grep"', { tools: ['Read', 'Grep'], prompt: 'Look' }],
  ['claude --model opus -p "Think"', { model: 'opus', prompt: 'Think' }],
  ['claude -p "q" --fallback-model sonnet,haiku', { 'fallback-model': ['sonnet', 'haiku'], prompt: 'q' }],
  ['claude -p "q" --max-turns 3 --max-budget-usd 5.00', { 'max-turns': 3, 'max-budget-usd': 5, prompt: 'q' }],
  ['claude -p --mcp-config ./mcp.json ./more.json -- q', { 'mcp-config': ['./mcp.json', './more.json'], prompt: 'q' }],
  [
    `claude --settings '{"permissions":{"allow":["Read"]}}' -p "q"`,
    { settings: '{"permissions":{"allow":["Read"]}}', prompt: 'q' },
  ],
  [
    'claude -p "q" --output-format stream-json --verbose --include-partial-messages',
    { verbose: true, prompt: 'q', 'include-partial-messages': true },
  ],
  ['claude -p "q" --no-session-persistence', { prompt: 'q', warns: '--transcript' }],
  ['claude -p "q" --input-format text --betas interleaved-thinking', { prompt: 'q', warns: '--betas' }],
  ['claude -p --input-format stream-json', { 'input-format': 'stream-json' }],
  ['claude -p "q" --dangerously-skip-permissions', 'No flag skips permissions'],
  ['claude -p "q" --permission-mode bypassPermissions', 'no mode skips permissions'],
  ['claude -p "q" --permission-prompt-tool stdio', { prompt: 'q', 'permission-prompt-tool': 'stdio' }],
  [
    'claude --session-id 550e8400-e29b-41d4-a716-446655440000 -p "q"',
    { prompt: 'q', 'session-id': '550e8400-e29b-41d4-a716-446655440000' },
  ],
  ['claude --setting-sources user,project -p "q"', { prompt: 'q', warns: 'name one with --settings' }],
  ['claude -w feature-auth', { worktree: 'feature-auth' }],
  ['claude -p --worktree "fix it"', { worktree: 'auto', prompt: 'fix it' }],
  ['claude --agent reviewer -p "q"', { agent: 'reviewer', prompt: 'q' }],
  ['claude --plugin-dir ./plugins -p "q"', { prompt: 'q', 'plugin-dir': ['./plugins'] }],
  ['claude --debug -p "q"', { verbose: true, prompt: 'q' }],
  ['claude --teleport', 'use --resume'],
  ['claude -v', { show: 'version' }],
  ['claude update', 'Install the version that you want with npm'],
  ['claude mcp add github -- npx server', '`mcpServers:` of the policy'],
  ['claude setup-token', 'There is no login'],
]

/** From the pages on non-interactive mode and command-line options of Codex. */
const CODEX: readonly Row[] = [
  ['codex exec "summarize the repository"', { prompt: 'summarize the repository' }],
  ['codex exec --json "list all endpoints"', { 'output-format': 'stream-json', prompt: 'list all endpoints' }],
  ['codex exec --ephemeral "triage"', { prompt: 'triage', warns: 'transcript' }],
  ['codex exec --skip-git-repo-check "q"', { prompt: 'q', warns: 'No repository is needed' }],
  [
    'codex exec "Extract" --output-schema ./schema.json -o ./out.json',
    { 'json-schema': './schema.json', 'output-last-message': './out.json', prompt: 'Extract' },
  ],
  ['codex exec -C ../app -m gpt-5 --color never "q"', { cwd: '../app', model: 'gpt-5', color: 'never', prompt: 'q' }],
  ['codex exec resume --last "Fix what you found"', { resume: 'last', prompt: 'Fix what you found' }],
  ['codex exec resume 7f9f9a2e-1b3c "Go on"', { resume: '7f9f9a2e-1b3c', prompt: 'Go on' }],
  ['codex exec -', { prompt: '-' }],
  ['codex -a never exec "q"', 'exec must come before all flags.'],
  ['codex exec --sandbox workspace-write "q"', '`sandbox: { mode: required }`'],
  ['codex exec --full-auto "q"', '--permission-mode acceptEdits'],
  ['codex exec --dangerously-bypass-approvals-and-sandbox "q"', 'No flag skips permissions'],
  ['codex exec -c model_reasoning_effort=high "q"', '`run:` of the policy'],
  ['codex exec -i screenshot.png "q"', 'for the Read tool'],
  ['codex exec --oss "q"', 'ANTHROPIC_BASE_URL'],
  ['codex exec review --base main', 'Review the changes since main'],
  ['codex resume --last', 'kode-run --resume last'],
  ['codex login', 'ANTHROPIC_API_KEY'],
  ['codex completion fish', { command: 'completion', prompt: 'fish' }],
]

/** From the cheat sheet and the page on headless mode of Gemini CLI. */
const GEMINI: readonly Row[] = [
  ['gemini -p "summarize README.md"', { prompt: 'summarize README.md' }],
  ['gemini --prompt status', { prompt: 'status' }],
  [
    'gemini -m gemini-2.5-flash -p "q" --output-format json',
    { model: 'gemini-2.5-flash', 'output-format': 'json', prompt: 'q' },
  ],
  ['gemini -r latest "Check for type errors"', { resume: 'latest', prompt: 'Check for type errors' }],
  ['gemini -p "q" -o json', 'Did you mean --output-format json?'],
  ['gemini -p "q" --approval-mode auto_edit', { 'permission-mode': 'acceptEdits', prompt: 'q' }],
  ['gemini -p "q" --approval-mode=yolo', 'No mode skips permissions'],
  ['gemini -p "q" --yolo', 'No flag skips permissions'],
  ['gemini -p "q" -y', 'No flag skips permissions'],
  ['gemini -s -p "q"', '`sandbox: { mode: required }`'],
  ['gemini -p "q" --include-directories ./src,./lib', 'Use --add-dir'],
  ['gemini -i "What is this?"', 'A prompt goes with -p'],
  ['gemini --list-sessions', '--resume takes a path'],
  ['gemini -p "q" -e github', 'Nothing is downloaded'],
  ['gemini -p "q" -d --skip-trust', { verbose: true, prompt: 'q', warns: 'the policy says what is allowed' }],
  ['gemini extensions list', 'Nothing is installed'],
  ['gemini --version', { show: 'version' }],
]

describe.each([
  ['Claude Code', CLAUDE],
  ['Codex', CODEX],
  ['Gemini CLI', GEMINI],
])('command lines from the documentation of %s', (_name, rows) => {
  it.each(rows)('%s', checkRow)
})

it('are at least sixty, and none gets the answer "unknown"', () => {
  const all = [...CLAUDE, ...CODEX, ...GEMINI]
  expect(all.length).toBeGreaterThanOrEqual(60)
  for (const [line] of all) {
    try {
      parse(line)
    } catch (error) {
      expect([line, String(error)]).not.toEqual([line, expect.stringMatching(/[Uu]nknown/)])
    }
  }
})
