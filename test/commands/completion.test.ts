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

it('zsh loads the same functions', async () => {
  const { out } = await commandLine('/', ['completion', 'zsh'])
  expect(out).toMatch(/^#compdef kode-run\nautoload -U \+X bashcompinit/)
  expect(out).toContain((await commandLine('/', ['completion', 'bash'])).out)
})

it('fish completes commands, flags and their values, properly quoted', async () => {
  const { out } = await commandLine('/', ['completion', 'fish'])
  expect(out).toMatch(/^complete -c kode-run -n __fish_use_subcommand -a doctor -d '.*'$/m)
  expect(out).toMatch(/^complete -c kode-run -l output-format -x -a 'text json stream-json' -d /m)
  for (const line of out.trimEnd().split('\n')) expect(line).toMatch(/^complete -c kode-run .* -d '(?:[^'\\]|\\.)*'$/)
})

it('lists the shells for an unknown one', async () => {
  await expect(commandLine('/', ['completion', 'tcsh'])).rejects.toThrow('is not one of bash, zsh, fish')
})
