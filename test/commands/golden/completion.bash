_kode_run() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}" flags
  if [ "$COMP_CWORD" = 1 ] && [ "${word#-}" = "$word" ]; then COMPREPLY=($(compgen -W 'run policy tools mcp apply init verify report usage doctor completion help version' -- "$word")); return; fi
  if [ "$command" = policy ]; then
    if [ "$COMP_CWORD" = 2 ]; then COMPREPLY=($(compgen -W 'check explain test presets suggest replay diff schema' -- "$word")); return; fi
    command="policy ${COMP_WORDS[2]}"
  fi
  case "$before" in
    --effort) COMPREPLY=($(compgen -W 'low medium high xhigh max' -- "$word")); return ;;
    --thinking) COMPREPLY=($(compgen -W 'enabled adaptive disabled' -- "$word")); return ;;
    --output-format) COMPREPLY=($(compgen -W 'text json stream-json' -- "$word")); return ;;
    --input-format) COMPREPLY=($(compgen -W 'text stream-json' -- "$word")); return ;;
    --permission-mode) COMPREPLY=($(compgen -W 'default acceptEdits plan dontAsk auto' -- "$word")); return ;;
    --replay-match) COMPREPLY=($(compgen -W 'strict loose' -- "$word")); return ;;
    --color) COMPREPLY=($(compgen -W 'auto always never' -- "$word")); return ;;
    --format) COMPREPLY=($(compgen -W 'markdown html json junit sarif code-quality' -- "$word")); return ;;
    --by) COMPREPLY=($(compgen -W 'day repository workflow model' -- "$word")); return ;;
  esac
  case "$command" in
    'run') flags='--policy --print --prompt --prompt-file --param --model --fallback-model --effort --thinking --max-thinking-tokens --max-turns --max-budget-usd --max-tokens-total --ledger --max-tool-calls --max-denials --timeout --max-retry-wait --output-format --input-format --include-partial-messages --output-last-message --json-schema --transcript --summary --attest --mcp-config --strict-mcp-config --plugin-dir --allowedTools --disallowedTools --tools --bare --settings --permission-mode --permission-prompt-tool --add-dir --system-prompt --system-prompt-file --append-system-prompt --append-system-prompt-file --agent --agents --record --replay --replay-match --once --resume --fork-session --session-id --apply-patch --repair --accept-policy-change --fail-on-denied --fail-on-finding --audit --dry-run --lock --lock-stale --cwd --worktree --policy-ref --trust-head-config --color --quiet --timestamps --debug-file --verbose --api-key-file --api-key-fd --allow-insecure-base-url' ;;
    'policy check') flags='--cwd --verbose --json' ;;
    'policy explain') flags='--cwd --verbose --policy --settings --allowedTools --disallowedTools --permission-mode --json --tool --input --batch' ;;
    'policy test') flags='--cwd --verbose --json --junit --replay' ;;
    'policy presets') flags='--cwd --verbose' ;;
    'policy suggest') flags='--cwd --verbose --policy --settings --allowedTools --disallowedTools --permission-mode --json --apply' ;;
    'policy replay') flags='--cwd --verbose --policy --settings --allowedTools --disallowedTools --permission-mode --json --expect-same' ;;
    'policy diff') flags='--cwd --verbose --json --no-wider' ;;
    'policy schema') flags='--cwd --verbose' ;;
    'tools') flags='--cwd --verbose --policy --settings --allowedTools --disallowedTools --permission-mode --json --tools --bare' ;;
    'mcp') flags='--cwd --verbose --policy --settings --allowedTools --disallowedTools --permission-mode --mcp-config --strict-mcp-config --plugin-dir --json --lock' ;;
    'apply') flags='--cwd --verbose --policy --json --repo --target --dry-run' ;;
    'init') flags='--cwd --verbose --use' ;;
    'verify') flags='--cwd --verbose --json --head --attestation' ;;
    'report') flags='--cwd --verbose --format --output --merge' ;;
    'usage') flags='--cwd --verbose --json --by --since' ;;
    'doctor') flags='--cwd --verbose --policy --settings --allowedTools --disallowedTools --permission-mode --mcp-config --strict-mcp-config --plugin-dir --json --api-key-file --allow-insecure-base-url' ;;
    'completion') flags='--cwd --verbose' ;;
    'help') flags='' ;;
    'version') flags='' ;;
    *) flags='--policy --print --prompt --prompt-file --param --model --fallback-model --effort --thinking --max-thinking-tokens --max-turns --max-budget-usd --max-tokens-total --ledger --max-tool-calls --max-denials --timeout --max-retry-wait --output-format --input-format --include-partial-messages --output-last-message --json-schema --transcript --summary --attest --mcp-config --strict-mcp-config --plugin-dir --allowedTools --disallowedTools --tools --bare --settings --permission-mode --permission-prompt-tool --add-dir --system-prompt --system-prompt-file --append-system-prompt --append-system-prompt-file --agent --agents --record --replay --replay-match --once --resume --fork-session --session-id --apply-patch --repair --accept-policy-change --fail-on-denied --fail-on-finding --audit --dry-run --lock --lock-stale --cwd --worktree --policy-ref --trust-head-config --color --quiet --timestamps --debug-file --verbose --api-key-file --api-key-fd --allow-insecure-base-url' ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
  esac
}
complete -o default -F _kode_run kode-run
