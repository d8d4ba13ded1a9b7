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

function where({ provider, api_host: host }: DryRun): string {
  return host === null ? provider : `${provider} at ${host}`
}

function toText(found: DryRun): string {
  const { policy, sandbox, effects, network, hooks, mcp_servers: servers, tools, warnings } = found
  const files = policy.files.length === 0 ? 'preset read-only' : policy.files.join(', ')
  const rows: readonly (readonly [string, string])[] = [
    ['policy', `${files} (mode ${found.permissionMode})`],
    ['model', `${found.model} of ${where(found)}, key ${found.api_key}; not asked`],
    ['sandbox', `${sandbox.state}${sandbox.mode === sandbox.state ? '' : ` (${sandbox.mode})`}: ${sandbox.detail}`],
    ['changes', `${effects.state}: ${effects.detail}`],
    ['network', network.mode === 'open' ? 'unrestricted' : `${network.mode}, ${network.state}: ${network.detail}`],
    ...(found.env_dropped.length === 0
      ? []
      : [['withheld', `commands do not get ${found.env_dropped.join(', ')}`] as const]),
    ...hooks.map(({ event, hook }) => ['hook', `${event} ${hook}`] as const),
    ...servers.map(
      ({ name, status, startMs, tools: offered, detail }) =>
        [
          'server',
          `${name} ${status}, ${startMs} ms, ${counted(offered.length, 'tool')}${detail === '' ? '' : `: ${detail}`}`,
        ] as const,
    ),
    ['tools', tools.join(', ')],
    ...warnings.map((warning) => ['warning', warning] as const),
  ]
  return rows.map(([name, text]) => `${name.padEnd(8)} ${text.replaceAll('\n', '\n         ')}\n`).join('')
}
