import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { straceProblem } from '../faults/machine.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const problem = straceProblem()

/**
 * What a script does to files of its folder, as the kernel sees it: `fsync old.txt`. Temporary names are `*`. Only this
 * tells a file that is on the disk from one in memory. What a transcript asks for is in transcriptDisk.test.ts.
 */
function callsOf(script: string): string[] {
  const folder = makeFolder()
  writeFileSync(join(folder, 'old.txt'), 'old')
  const log = join(folder, 'strace.log')
  const trace = ['-f', '-y', '-o', log, '-e', 'trace=write,pwrite64,fsync,rename,renameat,renameat2']
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script, folder]
  const { status, stderr } = spawnSync('strace', [...trace, ...node], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const nameOf = (path: string) => (path === folder ? '.' : basename(path).replace(/.*[0-9a-f]{12}.*/, '*'))
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, call = '', path = ''] = /^\d+ +(?:<\.\.\. )?(\w+)(?:\(\d+<([^>]*)>)?/.exec(line) ?? []
      const [, to] = /^rename/.test(call) ? (/"[^"]*", .*"([^"]*)"/.exec(line) ?? []) : []
      if (to !== undefined) return [`rename ${nameOf(to)}`]
      return path.startsWith(folder) && path !== log ? [`${call.replace('pwrite64', 'write')} ${nameOf(path)}`] : []
    })
    .filter((call) => !call.includes('deleted'))
}

it.skipIf(problem !== undefined)(
  `a file that a tool wrote is on the disk before its name is, and then the name${problem === undefined ? '' : ` (skipped: ${problem})`}`,
  { tags: 'long' },
  () => {
    const calls = callsOf(`
      import { createFileAccess } from './src/files/createFileAccess.ts'
      const folder = process.argv[1]
      await createFileAccess({ roots: [folder], forbidden: [] }).write(folder + '/old.txt', Buffer.from('new'))`)
    const [written, synced] = [expect.stringMatching(/^write /), expect.stringMatching(/^fsync /)]
    expect(calls).toEqual([written, synced, 'rename old.txt', 'fsync .'])
  },
)
