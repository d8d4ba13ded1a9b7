#!/bin/bash
# PreToolUse hook for Bash: refuse destructive commands.
set -euo pipefail

INPUT=$(cat)
COMMAND=$(echo "$INPUT" | jq -r '.tool_input.command // empty')

if echo "$COMMAND" | grep -qE 'rm[[:space:]]+-[a-z]*r|git[[:space:]]+push[[:space:]]+.*--force'; then
  echo "Blocked: destructive command. Ask a maintainer to run it." >&2
  exit 2
fi

echo "guard-bash: ok ($(echo "$INPUT" | jq -r .tool_name))"
exit 0
