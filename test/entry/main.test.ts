import { expect, it } from 'vitest'
import { EXIT_CODES } from '../../src/contracts/errors.ts'
import { main } from '../../src/entry/main.ts'
import { openTestIo } from '../helpers/testIo.ts'

it.each([
  ['its key', [], { ANTHROPIC_API_KEY: 'sk' }, [[], 'hidden']],
  ['no key that is empty', [], { ANTHROPIC_API_KEY: '' }, [[]]],
  ['no key that a replay does not need', ['--replay', 'a.yml'], { ANTHROPIC_API_KEY: 'sk' }, [[]]],
  ['no key where another is given', ['--api-key-fd', '5'], { ANTHROPIC_API_KEY: 'sk' }, [[5]]],
  ['what telemetry needs', ['--replay', 'a.yml'], { OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }, [[], 'hidden']],
  ['nothing, and shows no stack of a mistake', ['--verbose'], {}, [[]]],
  ['no descriptor that it reads', ['--prompt-file', '/dev/fd/7'], {}, [[7]]],
] as const)('a start that soon fails hides or closes %s', async (_, argv, environment, done) => {
  const seen: unknown[] = []
  const { io, said } = openTestIo(['--cwd', '/no/such/folder', ...argv], { environment })
  const code = await main(io, {
    closeDescriptors(kept) {
      seen.push(kept)
      return [9]
    },
    hideSecrets: async () => void seen.push('hidden'),
  })
  expect(process.listenerCount('SIGHUP')).toBe(0)
  expect([code, seen]).toEqual([2, done])
  expect(said.stderr).not.toContain('    at ')
  expect(said.stderr).toMatch(/^kode-run: descriptor 9 holds a lock\. It stays open, .*\n.*\/no\/such\/folder/)
})

it.each([
  ['--version', /^\d+\.\d+\.\d+\n$/],
  ['--help', /^kode-run: .*--policy/s],
])('answers %s', async (flag, shown) => {
  const { io, said } = openTestIo([flag])
  expect([await main(io), said]).toEqual([0, { stdout: expect.stringMatching(shown), stderr: '' }])
})

it('shows the stack of a defect, and ends with its code', async () => {
  const print = () => {
    throw new Error('a bug')
  }
  const { io, said } = openTestIo(['--version'], { print })
  expect(await main(io)).toBe(EXIT_CODES.internal.code)
  expect(said.stderr).toMatch(/kode-run: a bug\n.*Error: a bug\n.* at /s)
})
