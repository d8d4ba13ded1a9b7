import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { straceProblem } from '../faults/machine.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const problem = straceProblem()

/**
 * What a script does to files of its folder, as the kernel sees it: `write t.jsonl`, `fdatasync t.jsonl`. Temporary names are
 * `*`. Only this tells a file that is on the disk from one in memory.
 */
function callsOf(script: string): string[] {
  const folder = makeFolder()
  writeFileSync(join(folder, 'old.txt'), 'old')
  const log = join(folder, 'strace.log')
  const trace = ['-f', '-y', '-o', log, '-e', 'trace=write,pwrite64,fsync,fdatasync,rename,renameat,renameat2']
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script, folder]
  const { status, stderr } = spawnSync('strace', [...trace, ...node], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const nameOf = (path: string) => (path === folder ? '.' : basename(path).replace(/.*[0-9a-f]{12}.*/, '*'))
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, call = '', path = ''] = /^\d+ +(?:<\.\.\. )?(\w+)(?:\(\d+<([^>]*)>)?/.exec(line) ?? []
      if (call.startsWith('rename'))
        return (
          /"[^"]*", .*"([^"]*)"/
            .exec(line)
            ?.slice(1)
            .map((to) => `rename ${nameOf(to)}`) ?? []
        )
      return path.startsWith(folder) && !path.endsWith('.reserve') && path !== log
        ? [`${call.replace('pwrite64', 'write')} ${nameOf(path)}`]
        : []
    })
    .filter((call) => !call.includes('deleted'))
}

describe.skipIf(problem !== undefined)(
  `what is on the disk${problem === undefined ? '' : ` (skipped: ${problem})`}`,
  () => {
    const open = `
    import { createRedactor } from './src/lib/secrets/redact.ts'
    import { openTranscript } from './src/report/transcript/transcript.ts'
    const path = process.argv[1] + '/t.jsonl'
    const { append, appendLast, close } = openTranscript({ place: { path }, run: 'r', sessionId: 's', redactor: createRedactor({ secrets: [] }), longestLine: 10_000 })
    const event = (subtype, more = {}) => ({ type: 'system', subtype, ...more })
    const warn = (message) => event('warning', { code: 'c', message })`

    it('is the folder of a new transcript, the first and last record, and each record before a side effect', {
      tags: 'long',
    }, () => {
      const calls = callsOf(`${open}
      append(event('init'))
      append(warn('a'))
      append(event('tool_intent', { is_read_only: true }))
      append(event('tool_intent', { is_read_only: false }))
      append(event('compact_boundary'))
      appendLast({ type: 'result' })
      close()`)
      const [written, synced] = ['write t.jsonl', 'fdatasync t.jsonl']
      const lines = [written, synced, written, written, written, synced, written, synced, written, synced]
      expect(calls).toEqual(['fsync .', ...lines])
    })

    it('is a body before the record that names it: its bytes, its name, then the record', { tags: 'long' }, () => {
      const calls = callsOf(`${open}
      append(warn('x'.repeat(50_000)))
      close()`)
      const last = calls.indexOf('write t.jsonl')
      expect(calls.slice(0, last)).toEqual([
        'fsync .',
        'write *',
        'fsync *',
        expect.stringMatching(/^rename [0-9a-f*]+$/),
        'fsync blobs',
      ])
    })

    it('is a file that a tool wrote before its name is, and then the name', { tags: 'long' }, () => {
      const calls = callsOf(`
      import { createFileAccess } from './src/files/createFileAccess.ts'
      const folder = process.argv[1]
      await createFileAccess({ roots: [folder], forbidden: [] }).write(folder + '/old.txt', Buffer.from('new'))`)
      expect(calls).toEqual([
        expect.stringMatching(/^write /),
        expect.stringMatching(/^fsync /),
        'rename old.txt',
        'fsync .',
      ])
    })
  },
)
