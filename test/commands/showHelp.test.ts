import { describe, expect, it } from 'vitest'
import { initJobs } from '../../src/commands/init/initJobs.ts'
import { showHelp } from '../../src/commands/showHelp.ts'
import { COMMANDS } from '../../src/config/commands.ts'
import { RUN_FLAGS } from '../../src/config/flags.ts'
import { parseArguments } from '../../src/config/parseArguments.ts'
import type { ProcessIo } from '../../src/contracts/processIo.ts'

function helpOf(argv: readonly string[]): string {
  const invocation = parseArguments(argv)
  if (invocation.show !== 'help') throw new Error('no help')
  let out = ''
  const print = (text: string) => {
    out += text
  }
  showHelp({ print } as unknown as ProcessIo, invocation.topic)
  return out
}

describe('help', () => {
  it.each([['--help'], ['-h'], ['help']])('%s shows the overview', (word) => {
    const out = helpOf([word])
    for (const name of Object.keys(COMMANDS)) expect(out).toContain(`  ${name} `)
  })

  it.each(Object.keys(COMMANDS).filter((name) => name !== 'help' && name !== 'version'))(
    '%s --help and help %s are about that command alone',
    (name) => {
      const out = helpOf([...name.split(' '), '--help'])
      expect(out.split('\n')[0]?.trim()).toBe(
        `kode-run ${name} ${COMMANDS[name as keyof typeof COMMANDS].usage}`.trim(),
      )
      expect(helpOf(['help', ...name.split(' ')])).toBe(out)
      expect(out).not.toContain('Commands:')
    },
  )

  it.each(['run', ...Object.keys(COMMANDS)])('help %s fits in 100 columns, and loses no word', (name) => {
    const lines = helpOf(name === 'run' ? ['--help'] : ['help', ...name.split(' ')]).split('\n')
    expect(lines.filter((line) => line.length > 100)).toEqual([])
    const words = lines.join(' ').replace(/\s+/g, ' ')
    const { flags, describe } = COMMANDS[name as keyof typeof COMMANDS]
    for (const text of [describe, ...Object.values(flags).map((flag) => flag.describe)])
      if (name !== 'run' || text !== describe) expect(words).toContain(text)
  })

  it('help init lists the jobs that there are', () => {
    const jobs = helpOf(['help', 'init']).split('\n\n')[2]?.split('\n') ?? []
    expect(jobs[0]).toBe('JOB:')
    expect(jobs.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(initJobs.map(({ name }) => name))
  })

  it('policy --help and help policy list its commands', () => {
    expect(helpOf(['policy', '--help'])).toMatch(/policy check [\s\S]*policy schema /)
    expect(helpOf(['policy', '--help'])).not.toContain('verify')
    expect(helpOf(['help', 'policy'])).toBe(helpOf(['policy', '--help']))
  })

  it('shows the values of flags with fixed values', () => {
    const lines = helpOf(['run', '--help']).split(/\n(?! {37})/)
    for (const [name, flag] of Object.entries(RUN_FLAGS)) {
      const line = lines.find((one) => one.includes(`--${name} `))
      for (const choice of 'choices' in flag ? flag.choices : []) expect(line).toContain(choice)
    }
  })

  it('suggests the closest command for an unknown one', () => {
    expect(() => parseArguments(['help', 'reprot'])).toThrow('There is no command reprot. Did you mean report?')
  })
})

it.each([['version'], ['--version'], ['-V'], ['-v']])('%s is the version', (word) => {
  expect(parseArguments([word])).toEqual({ show: 'version' })
})
