import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { openTestEffects, type TestEffectsOptions } from './openTestEffects.ts'

type Play = TestEffectsOptions & {
  readonly scripts: readonly string[]
  /** The process is killed before it renames so many files of views: before that step of a take-over. */
  readonly killAt?: number
}

function killBeforeRename(count: number): void {
  const { renameSync } = fs
  let renamed = 0
  fs.renameSync = (from, to) => {
    if (/\/upper\//.test(String(from)) && renamed++ === count) process.kill(process.pid, 'SIGKILL')
    renameSync(from, to)
  }
  syncBuiltinESMExports()
}

/** Started as a process of its own, as another user or to be killed: plays scripts, and prints what became of each. */
const { scripts, killAt, ...options } = JSON.parse(process.argv[2] ?? '') as Play
if (killAt !== undefined) killBeforeRename(killAt)
const { sandbox, run, close } = await openTestEffects(options)
const results = []
for (const script of scripts) {
  const { report, exitCode, stdout, stderr } = await run(script)
  results.push({ report, exitCode, stdout: stdout.text, stderr: stderr.text })
}
await close()
console.log(JSON.stringify({ views: sandbox.views, results }))
