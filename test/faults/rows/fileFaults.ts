import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { CliOptions, CliRun } from '../../helpers/runs/cliRun.ts'
import { bash, edit, FINISH, read, write } from '../../helpers/runs/playRun.ts'
import { linkRace } from '../linkRace.ts'
import { mount } from '../mount.ts'
import type { Lab } from '../openLab.ts'
import type { Play, Plays } from '../readMatrix.ts'

const WRITER = 'version: 1\npermissions: { presets: [read-only], allow: ["Edit(/**)"] }\nsandbox: { mode: off }\n'
const ANY = 'version: 1\npermissions: { allow: [Bash, Read, Edit] }\nsandbox: { mode: off }\n'

type Calls = NonNullable<Turn['tools']>

/** A run whose messages call these tools, one list after the other. */
async function play(lab: Lab, messages: readonly Calls[], options: CliOptions): Promise<CliRun> {
  const server = await lab.serve([...messages.map((tools) => ({ tools })), FINISH])
  return lab.cli(['do it'], { server, policy: WRITER, ...options }).ended()
}

function outcomes({ records }: CliRun): string {
  return records
    .flatMap((record) => (record.type === 'user' ? (record.tool_use_result ?? []) : []))
    .filter(({ tool_name }) => tool_name !== 'Finish')
    .map(({ outcome }) => outcome)
    .join(' ')
}

const LONG = ' text'.repeat(10_000)
const LINE = 'const value = compute(1, 2, 3) // a line of an ordinary length\n'

/** What an Edit left that was killed at a system call, and what the next start left of its temporary file. */
async function killEdit(lab: Lab, inject: string): Promise<string> {
  const server = await lab.serve([
    { tools: [read('a.txt')] },
    { tools: [edit('a.txt', 'old', 'new')] },
    { say: 'done' },
  ])
  const run = lab.cli(['do it'], {
    server,
    policy: WRITER,
    files: { 'a.txt': `old${LONG}` },
    prepare: (project) => chmodSync(join(project, 'a.txt'), 0o640),
    through: ['strace', '-qq', '-f', '-o', '/dev/null', '-e', 'trace=fsync,fchmod,rename', '-e', `inject=${inject}`],
  })
  await run.ended()
  const file = join(run.project, 'a.txt')
  const state = ['old', 'new'].find((word) => readFileSync(file, 'utf8') === `${word}${LONG}`)
  if (state === undefined || (statSync(file).mode & 0o777) !== 0o640) return `${inject}: mixed, or with another mode`
  for (const name of readdirSync(run.project)) if (name.endsWith('.tmp')) utimesSync(join(run.project, name), 1, 1)
  const next = await lab.serve([{ say: 'done' }])
  await lab.cli(['do it'], { server: next, policy: WRITER, after: run }).ended()
  const left = readdirSync(run.project).filter((name) => name !== 'a.txt')
  return left.length === 0 ? state : `${inject}: ${left.join(' ')} is left`
}

/** A parent folder that flips to a link and back, while so many reads and writes go through it. */
const flips =
  (rounds: number): Play =>
  async (lab) => {
    const { escapes, inside, refused } = await linkRace(lab.folder(), rounds)
    return `${escapes} escapes, ${inside > 0 ? 'some' : 'none'} inside, ${refused > 0 ? 'some' : 'none'} refused`
  }

/** Faults of files and of the tools that touch them. */
export const fileFaults: Plays = {
  async '58'(lab) {
    const kernel = ['/proc/self/environ', '/proc/kmsg', '/dev/zero', '/sys/kernel/notes'].map((path) => read(path))
    const others = ['fifo', 'socket', 'folder', 'a.txt'].map((path) => read(path))
    const run = await play(lab, [[...kernel, ...others]], {
      files: { 'a.txt': 'a', 'folder/b.txt': 'b' },
      prepare(project) {
        execFileSync('mkfifo', [join(project, 'fifo')])
        const listen = `require('net').createServer().listen('socket', () => process.exit())`
        execFileSync(process.execPath, ['-e', listen], { cwd: project })
        if (!existsSync(join(project, 'socket'))) execFileSync('mkfifo', [join(project, 'socket')])
      },
    })
    return outcomes(run)
  },

  async '59'(lab) {
    const run = await play(lab, [[read('long.txt', { limit: 1 }), read('sparse')]], {
      prepare(project) {
        writeFileSync(join(project, 'long.txt'), 'x'.repeat(40_000_000))
        writeFileSync(join(project, 'sparse'), '')
        truncateSync(join(project, 'sparse'), 5 * 1024 ** 3)
      },
    })
    return `${outcomes(run)}, ${run.toolResults().join('').length < 200_000 ? 'less than 200 kB told' : 'all told'}`
  },

  async '59m'(lab) {
    const all = { file_path: 'big.ts', old_string: 'compute', new_string: 'count', replace_all: true }
    const calls = [read('big.ts', { limit: 5 }), { name: 'Edit', input: all }, write('new.ts', LINE.repeat(80_000))]
    const run = await play(
      lab,
      calls.map((call) => [call]),
      { files: { 'big.ts': LINE.repeat(160_000) }, env: { NODE_OPTIONS: '--max-old-space-size=220' } },
    )
    return `${outcomes(run)}, ${run.code === 0 ? run.result().exit_reason : `ended with ${run.code}`}`
  },

  async '61'(lab) {
    const disk = mount(lab, 'size=64k')
    writeFileSync(join(disk, 'a.txt'), 'o'.repeat(30_000))
    const messages = [[read(join(disk, 'a.txt'))], [write(join(disk, 'a.txt'), 'n'.repeat(60_000))]]
    const policy = ANY
    const server = await lab.serve([...messages.map((tools) => ({ tools })), { say: 'done' }])
    const run = await lab.cli(['--add-dir', disk, 'do it'], { server, policy }).ended()
    const isOld = readFileSync(join(disk, 'a.txt'), 'utf8') === 'o'.repeat(30_000)
    const left = readdirSync(disk).length === 1 ? 'no file left over' : readdirSync(disk).join(' ')
    return `${outcomes(run)}, bytes ${isOld ? 'as before' : 'changed'}, ${left}`
  },

  async '62'(lab) {
    const disk = mount(lab, 'size=64k')
    writeFileSync(join(disk, 'a.txt'), 'a')
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const [file, other] = [join(disk, 'a.txt'), join(disk, 'b.txt')]
    const server = await lab.serve([{ tools: [read(file)] }, { tools: [write(other, 'b')] }, { say: 'done' }])
    const run = await lab.cli(['--add-dir', disk, 'do it'], { server, policy: ANY }).ended()
    return `${outcomes(run)}, exit ${run.code}`
  },

  async '63'(lab) {
    const seen = new Set<string>()
    for (const [call, when] of ['fsync 1', 'fsync 2', 'fsync 3', 'fsync 4', 'fchmod 1', 'rename 1'].map((at) =>
      at.split(' '),
    ))
      seen.add(await killEdit(lab, `${call}:signal=SIGKILL:when=${when}`))
    const faults = [...seen].filter((state) => state !== 'old' && state !== 'new')
    if (faults.length > 0) return faults.join('; ')
    return `always old or new and with its mode, ${seen.size === 2 ? 'both were' : 'one was'} seen, the next start leaves no leftover`
  },

  async '64'(lab) {
    const before: Readonly<Record<string, Buffer>> = {
      crlf: Buffer.from('one\r\nold\r\nthree\r\n'),
      mixed: Buffer.from('one\r\nold\nthree \t\r\n'),
      mark: Buffer.from('\ufeffone\nold\n'),
      open: Buffer.from('one\nold'),
      latin: Buffer.from('one\nold \xe9\n', 'latin1'),
    }
    const names = Object.keys(before)
    const run = await play(lab, [names.map((name) => read(name)), names.map((name) => edit(name, 'old', 'new'))], {
      prepare(project) {
        for (const name of names) writeFileSync(join(project, name), before[name] ?? '')
      },
    })
    const kept = names.filter((name) => {
      const now = readFileSync(join(run.project, name), 'latin1')
      const old = (before[name] ?? Buffer.alloc(0)).toString('latin1')
      return now === old.replace('old', 'new')
    })
    return `${outcomes(run).split(' ').slice(-5).join(' ')}, other bytes as before ${kept.length} times`
  },

  async '65'(lab) {
    const messages = [[read('a.txt')], [bash('echo changed > a.txt')], [edit('a.txt', 'old', 'new')]]
    const run = await play(lab, messages, { policy: ANY, files: { 'a.txt': 'old\n' } })
    const text = readFileSync(join(run.project, 'a.txt'), 'utf8')
    return `${outcomes(run)}, the command’s text ${text === 'changed\n' ? 'stays' : 'is gone'}`
  },

  async '67'(lab) {
    const paths = [
      ...['../x', 'sub/../../x', '/x', '~/x', 'link/x', 'sub/link/../../x', 'twin', '.GIT/hooks/x', '.git/config'],
      'a\0b',
    ]
    const run = await play(lab, [paths.map((path) => write(path, 'evil'))], {
      files: { 'sub/b.txt': 'b' },
      prepare(project) {
        mkdirSync(join(project, '../outside'))
        writeFileSync(join(project, '../outside/file'), 'as before')
        symlinkSync('../outside', join(project, 'link'))
        symlinkSync('../../outside', join(project, 'sub/link'))
        linkSync(join(project, '../outside/file'), join(project, 'twin'))
      },
    })
    const places = ['outside/file', 'outside/x', 'x', 'home/x'].map((name) => join(run.base, name))
    const found = [...places, '/kode-run-fault', join(run.project, '.GIT/hooks/x')].filter(
      (path) => existsSync(path) && readFileSync(path, 'utf8') === 'evil',
    )
    const refused = outcomes(run)
      .split(' ')
      .filter((outcome) => outcome !== 'ok').length
    return `${found.length} files written outside, ${refused} refused`
  },

  '68': flips(1000),
  '68 long': flips(100_000),

  async '70'(lab) {
    const run = await play(
      lab,
      [[bash('git status --short')], [bash('echo b >> a.txt; git add a.txt; git diff --cached --stat')]],
      {
        policy:
          'version: 1\npermissions: { allow: ["Bash(git status *)", "Bash(git add *)", "Bash(git diff *)", "Bash(echo *)", "Edit(a.txt)"] }\nsandbox: { mode: off }\n',
        files: { 'a.txt': 'a\n', '.gitattributes': '* filter=evil diff=evil\n' },
        prepare(project) {
          const touch = (name: string) => `touch ${join(project, '..', `ran-${name}`)}`
          const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { stdio: 'ignore' })
          git('init', '-q')
          git('config', 'user.email', '$(touch ../ran-email)@example.com')
          git('config', 'user.name', 'a')
          git('add', 'a.txt')
          git('commit', '-qm', 'one')
          git('config', 'core.fsmonitor', touch('fsmonitor'))
          git('config', 'diff.external', touch('external'))
          mkdirSync(join(project, 'hooks'))
          for (const name of ['pre-commit', 'post-index-change', 'fsmonitor-watchman']) {
            writeFileSync(join(project, 'hooks', name), `#!/bin/sh\n${touch('hook')}\n`, { mode: 0o755 })
          }
          git('config', 'core.hooksPath', join(project, 'hooks'))
        },
      },
    )
    const ran = readdirSync(run.base).filter((name) => name.startsWith('ran-'))
    const patch = run.result().patch === null ? `no patch: ${run.result().patch_note}` : 'patch made'
    return `${outcomes(run)}, ${ran.length === 0 ? 'nothing of it ran' : ran.join(' ')}, ${patch}`
  },

  async '71'(lab) {
    const search = { name: 'Grep', input: { pattern: 'needle', path: '.' } }
    const run = await play(lab, [[search], [bash('git --version; rg --version; :')]], {
      policy: ANY,
      files: { 'a.txt': 'needle\n' },
      prepare(project) {
        for (const name of ['rg', 'git', 'bin/rg', 'bin/git', 'node_modules/.bin/git']) {
          mkdirSync(join(project, name, '..'), { recursive: true })
          writeFileSync(join(project, name), '#!/bin/sh\ntouch "$(dirname "$0")/../ran" ran\n', { mode: 0o755 })
        }
      },
      env: { PATH: `.:bin:node_modules/.bin:${process.env['PATH']}` },
    })
    const ran = existsSync(join(run.project, 'ran')) || existsSync(join(run.base, 'ran'))
    return `${outcomes(run)}, ${ran ? 'it ran' : 'nothing of it ran'}`
  },
}
