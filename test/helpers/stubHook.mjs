#!/usr/bin/env node
// A hook that misbehaves on request: `stubHook.mjs MODE [ARGUMENT]`.
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const [mode, argument] = process.argv.slice(2)
/** Seen from the project, wherever the hook was started. */
const file = resolve(process.env.CLAUDE_PROJECT_DIR ?? '.', argument ?? '')
let input = ''
if (mode !== 'deaf') for await (const chunk of process.stdin) input += chunk

const modes = {
  record: () => appendFileSync(file, `${input}\n`),
  environment: () => writeFileSync(file, JSON.stringify(process.env)),
  print: () => process.stdout.write(argument),
  deaf: () => process.stdout.write('{}'),
  exit: () => process.exit(Number(argument)),
  complain: () => {
    process.stdout.write('{"decision":"approve"}')
    process.stderr.write('::error::not like this\n')
    process.exitCode = 2
  },
  signal: () => process.kill(process.pid, argument),
  hang: () => {
    process.on('SIGTERM', () => appendFileSync(file, 'asked to end\n'))
    const child = spawn('sleep', ['600'], { stdio: 'inherit' })
    writeFileSync(file, `${child.pid}\n`)
    setInterval(() => undefined, 1000)
  },
  flood: () => process.stdout.write('{"reason":"'.padEnd(1_200_000, 'x')),
  large: () => process.stdout.write(JSON.stringify({ decision: 'block', reason: 'y'.repeat(200_000) })),
}
modes[mode]()
