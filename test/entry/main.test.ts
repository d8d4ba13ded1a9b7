import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { EXIT_CODES } from '../../src/contracts/errors.ts'
import { main } from '../../src/entry/main.ts'

/** What a start that soon fails does with what it inherited, and what it warns of. */
async function start(argv: readonly string[], environment: Readonly<Record<string, string>>) {
  const done: unknown[] = []
  let said = ''
  const code = await main(
    {
      ...{ argv: ['--cwd', '/no/such/folder', ...argv], environment, cwd: '/', home: '/', columns: 80 },
      ...{
        isTerminal: false,
        print: () => undefined,
        readStdin: async () => undefined,
        stdin: () => Readable.from([]),
      },
      warn: (text) => {
        said += text
      },
    },
    {
      closeDescriptors(kept) {
        done.push(kept)
        return [9]
      },
      hideSecrets: async () => void done.push('hidden'),
    },
  )
  return { code, done, said }
}

it.each([
  ['its key', [], { ANTHROPIC_API_KEY: 'sk' }, [[], 'hidden']],
  ['no key that is empty', [], { ANTHROPIC_API_KEY: '' }, [[]]],
  ['no key that a replay does not need', ['--replay', 'a.yml'], { ANTHROPIC_API_KEY: 'sk' }, [[]]],
  ['no key where another is given', ['--api-key-fd', '5'], { ANTHROPIC_API_KEY: 'sk' }, [[5]]],
  ['what telemetry needs', ['--replay', 'a.yml'], { OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }, [[], 'hidden']],
  ['nothing, and shows no stack of a mistake', ['--verbose'], {}, [[]]],
  ['no descriptor that it reads', ['--prompt-file', '/dev/fd/7'], {}, [[7]]],
] as const)('a start hides or closes %s', async (_, argv, environment, done) => {
  const seen = await start(argv, environment)
  expect(process.listenerCount('SIGHUP')).toBe(0)
  expect([seen.code, seen.done]).toEqual([2, done])
  expect(seen.said).not.toContain('    at ')
  expect(seen.said).toMatch(/^kode-run: descriptor 9 holds a lock\. It stays open, .*\n.*\/no\/such\/folder/)
})

it.each([
  ['--version', /^\d+\.\d+\.\d+\n$/],
  ['--help', /^kode-run: .*--policy/s],
])('answers %s', async (flag, shown) => {
  let printed = ''
  const io = { argv: [flag], environment: {}, cwd: '/', home: '/', columns: 80, isTerminal: false }
  const code = await main({
    ...{ ...io, readStdin: async () => undefined, stdin: () => Readable.from([]), warn: () => undefined },
    print: (text) => {
      printed += text
    },
  })
  expect([code, printed]).toEqual([0, expect.stringMatching(shown)])
})

it('shows the stack of a defect, and ends with its code', async () => {
  let said = ''
  const code = await main({
    ...{ argv: ['--version'], environment: {}, cwd: '/', home: '/', columns: 80, isTerminal: false },
    ...{ readStdin: async () => undefined, stdin: () => Readable.from([]) },
    print() {
      throw new Error('a bug')
    },
    warn: (text) => {
      said += text
    },
  })
  expect([code, said]).toEqual([
    EXIT_CODES.internal.code,
    expect.stringMatching(/kode-run: a bug\n.*Error: a bug\n.* at /s),
  ])
})
