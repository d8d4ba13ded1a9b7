#!/usr/bin/env bash
# UserPromptSubmit / SessionStart hook: plain text on stdout becomes context.
echo "Project: $(basename "$CLAUDE_PROJECT_DIR")"
echo "House rule: every change comes with a test."
