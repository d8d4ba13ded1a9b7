#!/bin/bash
# PreToolUse hook for Bash: keep a list of all commands.
jq -r '"\(.tool_input.command) - \(.tool_input.description // "No description")"' < /dev/stdin >> "$CLAUDE_PROJECT_DIR/commands.log"
echo "logged" > /dev/stderr
