#!/usr/bin/env python3
"""PreToolUse hook for Edit|Write|MultiEdit: keep generated and lock files as they are."""
import json
import os
import sys

PROTECTED = ("package-lock.json", ".env", "generated/")

try:
    data = json.load(sys.stdin)
except json.JSONDecodeError as error:
    print(f"Error: invalid JSON input: {error}", file=sys.stderr)
    sys.exit(1)

path = data.get("tool_input", {}).get("file_path", "")
relative = os.path.relpath(path, os.environ["CLAUDE_PROJECT_DIR"])

if any(relative == name or relative.startswith(name) for name in PROTECTED):
    print(json.dumps({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": f"{relative} is generated; change its source instead",
        },
        "suppressOutput": True,
    }))
sys.exit(0)
