import { describe, expect, it } from 'vitest'
import { initJobs } from '../../src/commands/init/initJobs.ts'
import { showHelp } from '../../src/commands/showHelp.ts'
import { COMMANDS } from '../../src/config/commands.ts'
import { parseArguments } from '../../src/config/parseArguments.ts'
import { openTestIo } from '../helpers/testIo.ts'

function helpOf(argv: readonly string[]): string {
  const invocation = parseArguments(argv)
  if (invocation.show !== 'help') throw new Error('no help')
  const { io, said } = openTestIo(argv)
  showHelp(io, invocation.topic)
  return said.stdout
}

describe('help', () => {
  // Read it as somebody who has never started it: `npx vitest run test/commands/showHelp.test.ts -u` writes it.
  it('explains each command alone, whichever way it is asked for', async () => {
    const overview = helpOf(['--help'])
    for (const word of ['-h', 'help']) expect(helpOf([word])).toBe(overview)
    const names = ['policy', ...Object.keys(COMMANDS)]
    const pages = names.map((name) => {
      const page = helpOf(['help', ...name.split(' ')])
      if (name !== 'help' && name !== 'version') expect(helpOf([...name.split(' '), '--help'])).toBe(page)
      return `== help ${name}\n${page}`
    })
    const all = [`== --help\n${overview}`, ...pages].join('\n')
    expect(all.split('\n').filter((line) => line.length > 100)).toEqual([])
    await expect(all).toMatchFileSnapshot('golden/help.txt')
  })

  it('help init lists the jobs that there are', () => {
    const jobs = helpOf(['help', 'init']).split('\n\n')[2]?.split('\n') ?? []
    expect(jobs.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(initJobs.map(({ name }) => name))
  })
})
