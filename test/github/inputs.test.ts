import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contracts/errors.ts'
import { FOREIGN_INPUTS, INPUTS, readInputs, splitNames, splitWords, toArguments } from '../../src/github/inputs.ts'

function orElseMessage(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return messageOf(error)
  }
}

describe('inputs', () => {
  it('are read as the runner passes them, without empty ones', () => {
    expect(readInputs({ INPUT_PROMPT: ' do it ', INPUT_MODEL: '', PATH: '/bin' })).toEqual({ prompt: 'do it' })
  })

  // Read it as somebody who comes from another action: `npx vitest run test/github/inputs.test.ts -u` writes it.
  it('of other names are refused with what to write instead, and each sets its flag', async () => {
    const mistyped = ['working-directory', 'max_truns', 'allowedtools', 'something_else_entirely', 'toString']
    const told = [...mistyped, ...Object.keys(FOREIGN_INPUTS)].map((name) => {
      const why = orElseMessage(() => readInputs({ [`INPUT_${name.toUpperCase()}`]: 'x' }))
      return `${name}: ${why}`
    })
    const flags = Object.entries<object>(INPUTS).flatMap(([name, input]) =>
      ('kind' in input ? ['a b', 'true', 'false'] : ['a b']).map((value) => {
        return `${name}=${value} → ${orElseMessage(() => JSON.stringify(toArguments({ [name]: value })))}`
      }),
    )
    await expect([...told, '', ...flags].join('\n')).toMatchFileSnapshot('golden/inputs.txt')
  })

  it('become flags without a shell: a value stays one value', () => {
    const model = '$(id) --policy evil.yml; `id`'
    expect(
      toArguments({ model, fail_on_denied: 'true', show_full_output: 'false', prompt: '--x', args: '--lock "a b"' }),
    ).toEqual(['run', `--model=${model}`, '--fail-on-denied', '--lock', 'a b'])
  })
})

describe('splitWords', () => {
  it.each([
    ['', []],
    ['  a\n b ', ['a', 'b']],
    [`--x='a b' "c d"`, ['--x=a b', 'c d']],
    [`"it's" 'say "so"'`, ["it's", 'say "so"']],
    [String.raw`a\ b "q\"q" 'n\n'`, ['a b', 'q"q', String.raw`n\n`]],
    ['$(id) `id` $HOME *', ['$(id)', '`id`', '$HOME', '*']],
    [`''`, ['']],
  ])('%j', (text, words) => expect(splitWords(text)).toEqual(words))

  it('refuses a quote that is not closed', () => expect(() => splitWords('a "b')).toThrow('not closed'))
})

it('splits names at commas and white space', () => expect(splitNames('a, b\nc')).toEqual(['a', 'b', 'c']))
