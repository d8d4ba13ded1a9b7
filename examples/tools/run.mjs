// @ts-check
// A run of the library with a tool of your own: `node examples/tools/run.mjs [folder]`, without key or network.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { loadPolicy, resolveConfig, run } from 'kode-run'
import { changelogTool } from './changelogTool.mjs'

const here = import.meta.dirname
const cwd = process.argv[2] ?? process.cwd()
const home = homedir()

const policy = await loadPolicy({ file: join(here, 'policy.yml'), cwd, home, tools: [changelogTool.name] })
const flags = { replay: join(here, 'replay.yml') }
const events = run({
  prompt: 'Note the repaired discount in the change log.',
  config: resolveConfig(flags, process.env, policy.settings.run, cwd),
  policy,
  tools: [changelogTool],
  environment: process.env,
  home,
  stateFolder: join(home, '.local', 'state', 'kode-run'),
  apiKey: process.env['ANTHROPIC_API_KEY'],
  commandFiles: [],
  signal: new AbortController().signal,
})
for await (const event of events) {
  if (event.type === 'system' && event.subtype === 'tool_intent') console.log(event.activity)
  if (event.type === 'result') {
    console.log(`${event.exit_reason}: ${event.result}`)
    process.exitCode = event.exit_code
  }
}
