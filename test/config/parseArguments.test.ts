import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/config/parseArguments.ts'

const refusalOf = (argv: readonly string[]): string => {
  try {
    parseArguments(argv)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return ''
}

describe('a command line is refused, in words that help', () => {
  it.each([
    [['--quiet=maybe', 'x'], '--quiet takes no value: give it or leave it out.'],
    [['--quiet', '--quiet', 'x'], '--quiet is given twice.'],
    [['--constructor', 'x'], 'Unknown flag --constructor.'],
    [['--max-turnz', '3', 'x'], 'Unknown flag --max-turnz. Did you mean --max-turns?'],
    [['verify', '--max-turns', '3', 'x'], 'A run takes it, this command does not: see its --help.'],
    [['-5'], 'Unknown flag -5.'],
    [['--prompt-file', '-'], '--prompt-file needs a value (FILE).'],
    [['--zzzzzzzzzzzz', 'x'], 'Unknown flag --zzzzzzzzzzzz. See kode-run --help.'],
    [['-o', 'json', 'x'], '-o json: -o names a file. Did you mean --output-format json?'],
    [['--prompt', 'a', 'b'], 'Give the prompt as an argument or with --prompt, not both.'],
    [['--max-turns', '1.5', 'x'], '"1.5" is not a whole number from 1 to 999999999.'],
    [['--max-budget-usd', '-1', 'x'], 'is not an amount such as 2.50.'],
    [['--timeout', '10', 'x'], '"10" is not a duration such as 90s, 20m or 1h30m.'],
    [['--timeout', '0s', 'x'], '"0s" is not a duration such as 90s, 20m or 1h30m.'],
    [['--output-format', 'xml', 'x'], '"xml" is not one of '],
    [['help', 'polizy'], 'There is no command polizy. Did you mean policy?'],
    [['help', 'zzzzzzzzzz'], 'There is no command zzzzzzzzzz.'],
  ])('%j', (argv, message) => {
    expect(refusalOf(argv)).toContain(message)
  })
})

it.each([
  [['policy', '--help'], 'policy'],
  [['policy', '-h'], 'policy'],
  [['help', 'verify'], 'verify'],
])('%j shows help', (argv, topic) => {
  expect(parseArguments(argv)).toEqual({ show: 'help', topic })
})

// A flag takes the word beside it, with its quotes.
it.each([
  [['--quiet', 'false'], 'false'],
  [['--tools', '--ephemeral', 'list'], 'list'],
  [['--', '--quiet=x'], '--quiet=x'],
  [['--prompt="Hi"'], '"Hi"'],
  [[`--prompt='it's'`], "'it's'"],
  [['--prompt', '"Hi"'], '"Hi"'],
  [['--', '--prompt="Hi"'], '--prompt="Hi"'],
  [['--prompt="'], '"'],
])('%j has the prompt %s', (argv, prompt) => {
  expect(parseArguments(argv)).toMatchObject({ positionals: [prompt] })
})
