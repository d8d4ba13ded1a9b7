import { openTestEffects, type TestEffectsOptions } from './openTestEffects.ts'

type Play = TestEffectsOptions & {
  readonly scripts: readonly string[]
  /** The step of a take-over before which the process is killed. */
  readonly killAt?: number
}

/** Started as a process of its own, as another user or to be killed: plays scripts, and prints what became of each. */
const { scripts, killAt, ...options } = JSON.parse(process.argv[2] ?? '') as Play
const { sandbox, run, close } = await openTestEffects({
  ...options,
  ...(killAt !== undefined && { onStep: (index) => index === killAt && process.kill(process.pid, 'SIGKILL') }),
})
const results = []
for (const script of scripts) {
  const { report, exitCode, stdout, stderr } = await run(script)
  results.push({ report, exitCode, stdout: stdout.text, stderr: stderr.text })
}
await close()
console.log(JSON.stringify({ views: sandbox.views, results }))
