import type { CommandResult } from '../contracts/commands.ts'
import type { NetworkMode } from './openNetwork.ts'

/** What programs say when a name is not found or an address cannot be reached; not a connection that was refused. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|UnknownHostException)\b|could ?n[o']t resolve (?:host|proxy)|failed to lookup address|temporary failure in name resolution|name or service not known|network is unreachable|no such host|nodename nor servname|could not resolve address|dns error/i

/**
 * A line at the end of a command's errors, where a program of it seems to have failed for want of a network. The last one
 * of a pipeline may have succeeded all the same, so the exit code does not count.
 */
export function withNetworkNote(result: CommandResult, mode: NetworkMode | undefined): CommandResult {
  if (mode === undefined || mode === 'open') return result
  const { stdout, stderr } = result
  const text = `${stdout.text}\n${stderr.text}`
  // The proxy of an allowlist says for itself what it refused.
  if (!UNREACHABLE.test(text) || text.includes('sandbox.allow')) return result
  return { ...result, stderr: { ...stderr, text: `${stderr.text.replace(/\n*$/, '\n').trimStart()}${NOTES[mode]}\n` } }
}

const NOTES = {
  none: 'kode-run: commands have no network here (sandbox.network: none in the policy, or nothing said about it).',
  allowlist:
    'kode-run: commands reach only the hosts of sandbox.allow, and only programs that obey proxy variables do.',
} as const
