import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../../src/contracts/commands.ts'
import { withNetworkNote } from '../../../src/sandbox/network/withNetworkNote.ts'

function ended(stderr: string, change: Partial<CommandResult> = {}): CommandResult {
  const stream = (text: string) => ({ text, bytes: text.length, isTruncated: false })
  const end = { exitCode: 1, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1, durationMs: 1 }
  return { ...end, stdout: stream(''), stderr: stream(stderr), ...change }
}

const last = (result: CommandResult) => result.stderr.text.trimEnd().split('\n').at(-1)

describe('withNetworkNote', () => {
  it.each([
    ['npm', 'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo'],
    ['node', 'Error: getaddrinfo ENOTFOUND example.com'],
    ['curl', 'curl: (6) Could not resolve host: example.com'],
    ['git', "fatal: unable to access 'https://example.com/': Could not resolve host: example.com"],
    ['pip', "[Errno -3] Temporary failure in name resolution')': /simple/x/"],
    ['python', 'OSError: [Errno 101] Network is unreachable'],
    ['go', 'dial tcp: lookup example.com: no such host'],
    ['cargo', "warning: spurious network error: [6] Couldn't resolve host name"],
    ['java', 'java.net.UnknownHostException: example.com'],
  ])('says once why %s failed', (_program, text) => {
    const noted = withNetworkNote(ended(text), 'none')
    expect(noted.stderr.text.startsWith(text)).toBe(true)
    expect(last(noted)).toContain('sandbox.network')
    expect(last(withNetworkNote(ended(text), 'allowlist'))).toContain('sandbox.allow')
  })

  it.each([
    ['an end without a line end', 'ENOTFOUND a', ''],
    ['an end with several', 'ENOTFOUND a\n\n', ''],
    ['errors of several lines', '\nENOTFOUND a\n\nb\n', ''],
    ['no errors: the message was among the output', '', 'ENOTFOUND a\n'],
  ])('has a line of its own after %s', (_what, text, output) => {
    const stdout = { text: output, bytes: output.length, isTruncated: false }
    const before = text.trim() === '' ? '' : `${text.trim()}\n`
    expect(withNetworkNote(ended(text, { stdout }), 'none').stderr.text).toBe(
      `${before}kode-run: commands have no network here (sandbox.network is none, which is the default).\n`,
    )
  })

  it('says it even if a later program of the line succeeded', () => {
    const noted = withNetworkNote(ended('curl: (6) Could not resolve host: a', { exitCode: 0 }), 'none')
    expect(last(noted)).toContain('sandbox.network')
  })

  it.each<readonly [string, CommandResult, 'none' | 'allowlist' | 'open' | undefined]>([
    ['one that failed for another reason', ended('connect ECONNREFUSED 127.0.0.1:5432'), 'none'],
    ['one whose network is open', ended('ENOTFOUND'), 'open'],
    ['one without a sandbox', ended('ENOTFOUND'), undefined],
    ['one that the proxy has told', ended('ENOTFOUND: sandbox.allow does not name example.com'), 'allowlist'],
  ])('adds nothing to %s', (_what, result, mode) => {
    expect(withNetworkNote(result, mode)).toBe(result)
  })
})
