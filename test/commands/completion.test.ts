import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commandLine } from '../helpers/commandLine.ts'

/** What bash offers for the words of a line, the last of which is being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await commandLine('/', ['completion', 'bash'])
  const line = ['kode-run', ...words].map((word) => `'${word}'`).join(' ')
  const script = `${out}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _kode_run; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

describe('completion bash', () => {
  it.each([
    ['commands', ['do'], ['doctor']],
    ['commands of policy', ['policy', 's'], ['suggest', 'schema']],
    ['flags of a command', ['verify', '--h'], ['--head']],
    ['flags of a command of policy', ['policy', 'diff', '--no'], ['--no-wider']],
    [
      'flags of a run',
      ['run', '--max-t'],
      ['--max-thinking-tokens', '--max-turns', '--max-tokens-total', '--max-tool-calls'],
    ],
    ['flags of a run without its name', ['--dry'], ['--dry-run']],
    ['values of a flag', ['run', '--output-format', 's'], ['stream-json']],
    ['nothing for a prompt', ['run', 'x'], []],
  ])('offers %s', async (_, words, expected) => {
    expect((await offered(...words)).toSorted()).toEqual(expected.toSorted())
  })
})

// `npx vitest run test/commands/completion.test.ts -u` writes it.
it.each(['bash', 'zsh', 'fish'])('%s gets all commands, flags and values', async (shell) => {
  const { out } = await commandLine('/', ['completion', shell])
  if (shell === 'zsh') expect(out).toContain((await commandLine('/', ['completion', 'bash'])).out)
  else await expect(out).toMatchFileSnapshot(`golden/completion.${shell}`)
})

it('lists the shells for an unknown one', async () => {
  await expect(commandLine('/', ['completion', 'tcsh'])).rejects.toThrow('is not one of bash, zsh, fish')
})
