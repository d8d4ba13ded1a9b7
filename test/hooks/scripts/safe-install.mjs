#!/usr/bin/env node
// PreToolUse hook for Bash: installs run without lifecycle scripts.
let input = ''
for await (const chunk of process.stdin) input += chunk
const { tool_input: toolInput } = JSON.parse(input)

if (/^npm (ci|install)\b/.test(toolInput.command) && !toolInput.command.includes('--ignore-scripts')) {
  console.log(
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        permissionDecisionReason: 'installs are fine without scripts',
        updatedInput: { ...toolInput, command: `${toolInput.command} --ignore-scripts` },
        additionalContext: 'Lifecycle scripts are switched off in this repository.',
      },
    }),
  )
}
