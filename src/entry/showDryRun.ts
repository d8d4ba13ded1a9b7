import type { ProcessIo } from '../contracts/processIo.ts'
import { counted } from '../lib/text/words.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import type { DryRun } from '../run/dryRun.ts'
import { dryRun } from '../run/dryRun.ts'
import type { RunRequest } from '../run/run.ts'
import { checkOutputs } from './openEventReaders.ts'

/** `--dry-run`: prints what a run would start with, as JSON with a JSON output format. Resolves to the exit code. */
export async function showDryRun(io: ProcessIo, request: RunRequest): Promise<number> {
  checkOutputs(request.config, io.environment)
  const found = await dryRun(request)
  io.print(
    request.config.outputFormat === 'text' ? escapeWorkflowCommands(toText(found)) : `${JSON.stringify(found)}\n`,
  )
  return 0
}

function toText(found: DryRun): string {
  const { policy, sandbox, effects, network, hooks, mcp_servers: servers, tools, warnings, api_host: host } = found
  const files = policy.files.length === 0 ? 'preset read-only' : policy.files.join(', ')
  const provider = host === null ? found.provider : `${found.provider} at ${host}`
  const mode = sandbox.mode === sandbox.state ? '' : ` (${sandbox.mode})`
  return [
    row('policy', `${files} (mode ${found.permissionMode})`),
    row('model', `${found.model} of ${provider}, key ${found.api_key}; not asked`),
    row('sandbox', `${sandbox.state}${mode}: ${sandbox.detail}`),
    row('changes', `${effects.state}: ${effects.detail}`),
    row('network', network.mode === 'open' ? 'unrestricted' : `${network.mode}, ${network.state}: ${network.detail}`),
    found.env_dropped.length === 0 ? '' : row('withheld', `commands do not get ${found.env_dropped.join(', ')}`),
    ...hooks.map(({ event, hook }) => row('hook', `${event} ${hook}`)),
    ...servers.map(({ name, status, startMs, tools: offered, detail }) => {
      const more = detail === '' ? '' : `: ${detail}`
      return row('server', `${name} ${status}, ${startMs} ms, ${counted(offered.length, 'tool')}${more}`)
    }),
    row('tools', tools.join(', ')),
    ...warnings.map((warning) => row('warning', warning)),
  ].join('')
}

function row(name: string, text: string): string {
  return `${name.padEnd(8)} ${text.replaceAll('\n', '\n         ')}\n`
}
