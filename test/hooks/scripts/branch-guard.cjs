#!/usr/bin/env node
// PreToolUse hook for Bash: no commits on main.
const fs = require('fs')
const { tool_name, tool_input, cwd } = JSON.parse(fs.readFileSync('/dev/stdin', 'utf8'))

if (tool_name === 'Bash' && /git commit/.test(tool_input.command)) {
  const branch = fs.readFileSync(`${cwd}/.git/HEAD`, 'utf8').trim().split('/').pop()
  if (branch === 'main' || branch === 'master') {
    console.error(`Direct commits to ${branch} are not allowed. Create a feature branch.`)
    process.exit(2)
  }
}
console.log(JSON.stringify({ continue: true, suppressOutput: true }))
