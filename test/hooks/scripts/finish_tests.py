#!/usr/bin/env python3
"""Stop hook: the agent may not stop while the tests are red."""
import json
import pathlib
import sys

event = json.load(sys.stdin)
if event.get("stop_hook_active"):
    sys.exit(0)

if pathlib.Path(event["cwd"], "tests.failed").exists():
    print(json.dumps({"decision": "block", "reason": "The tests fail: run them and fix what is red."}))
