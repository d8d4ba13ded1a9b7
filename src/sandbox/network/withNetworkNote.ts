import type { CommandResult } from '../../contracts/commands.ts'
import type { NetworkMode } from './openNetwork.ts'

/** Messages of programs that cannot resolve a name or reach an address; not those for a refused connection. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|UnknownHostException)\b|could ?n[o']t resolve (?:host|proxy)|failed to lookup address|temporary failure in name resolution|name or service not known|network is unreachable|no such host|nodename nor servname|could not resolve address|dns error/i

/**
 * Adds a line to a command's errors if one of its programs seems to have failed without a network. The last program of
 * a pipeline may still have succeeded, so the exit code does not matter.
 */
export function withNetworkNote(result: CommandResult, mode: NetworkMode | undefined): CommandResult {
  if (mode === undefined || mode === 'open') return result
  const { stdout, stderr } = result
  const text = `${stdout.text}\n${stderr.text}`
  // The proxy of an allowlist reports its refusals itself.
  if (!UNREACHABLE.test(text) || text.includes('sandbox.allow')) return result
  return { ...result, stderr: { ...stderr, text: `${stderr.text.replace(/\n*$/, '\n').trimStart()}${NOTES[mode]}\n` } }
}

const NOTES = {
  none: 'kode-run: commands have no network here (sandbox.network is none, which is the default).',
  allowlist:
    'kode-run: commands reach only the hosts of sandbox.allow, and only programs that obey proxy variables do.',
} as const
