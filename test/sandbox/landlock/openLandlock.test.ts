import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { landlockWords, placeRights } from '../../../src/sandbox/landlock/launcher.ts'
import { type Landlock, openLandlock } from '../../../src/sandbox/landlock/openLandlock.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { commitAll } from '../../helpers/git.ts'
import { portHere } from '../../helpers/listenHere.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { commandLines } from '../../helpers/runs/commandLines.ts'
import { canPlayLandlock, landlockHere, NO_NAMESPACES } from '../../helpers/runs/noNamespaces.ts'
import { playRun, startPlay } from '../../helpers/runs/playRun.ts'
import { isNight, sampled } from '../../helpers/sampled.ts'
import { table } from '../../helpers/table.ts'

const PATH = process.env['PATH'] ?? ''
const version = landlockHere
const SETXATTR = process.arch === 'x64' ? '188' : '5'
const missing = version >= 6 ? '' : ' (needs perl and Landlock 6, Linux 6.12)'
const on = it.skipIf(version < 6)

type Lab = {
  readonly top: string
  readonly wall: Landlock
  run(command: string, ports?: readonly number[], kind?: 'direct' | 'readOnly'): string
}

/** A checkout beside a home with a key and a toolchain, and a wall around the commands in it. */
function lab(more: { readonly denied?: readonly string[] } = {}): Lab {
  const top = makeFiles({
    ...{ 'project/a.txt': 'in the project\n', 'home/.ssh/id_rsa': 'PRIVATE\n', 'home/notes.txt': 'PRIVATE\n' },
    ...{ 'home/.cargo/bin/tool': '#!/bin/sh\necho tool\n', 'home/.cargo/credentials.toml': 'PRIVATE\n' },
    'home/.gitconfig': '[user]\n  name = Ann\n[http "https://example.com"]\n  extraHeader = Authorization: PRIVATE\n',
    'beside/secret': 'PRIVATE\n',
  })
  const at = (path: string) => join(top, path)
  chmodSync(at('home/.cargo/bin/tool'), 0o755)
  const denied = (more.denied ?? []).map(at)
  const places = { home: at('home'), checkout: [at('project')], writable: [], readable: [], denied }
  const wall = openLandlock({ path: PATH, ...places })
  if ('problem' in wall) throw new Error(wall.problem)
  onTestFinished(() => wall.close())
  return {
    top,
    wall,
    run(command, ports, kind = 'direct') {
      const { file, args } = wall.wrap(ports)({ file: 'bash', args: ['-c', command] }, at('project'), { kind })
      const env = { PATH, TOP: top, ...wall.environment }
      const { stdout, stderr } = spawnSync(file, args, { cwd: at('project'), env, encoding: 'utf8' })
      return `${stdout}${stderr}`
    },
  }
}

describe('behind the wall', () => {
  const secrets = table`
    the home                  | cat $TOP/home/.ssh/id_rsa $TOP/home/notes.txt; ls $TOP/home
    the credentials in a toolchain that it shows
      | cat $TOP/home/.cargo/credentials.toml ~/.cargo/credentials.toml
    what is beside the project | cat $TOP/beside/secret; cat ../beside/secret; ln -s ../beside/secret l; cat l
    the runner's environment
      | tr '\\0' ' ' < /proc/${String(process.pid)}/environ; cat /proc/${String(process.ppid)}/environ
    the hashes of passwords   | head -c 20 /etc/shadow
  `
  on.each(sampled(secrets, 1))(`%s cannot be read${missing}`, (_, command = '') => {
    const said = lab().run(command)
    expect(said).toContain('Permission denied')
    expect(said).not.toContain('PRIVATE')
  })

  const outside = table`
    a file beside the project              | echo x > $TOP/beside/new
    a file that is there                   | echo x >> $TOP/beside/secret; : > $TOP/beside/secret
    the common folder for temporary files  | echo x > /tmp/landlock-outside
    a folder                               | mkdir $TOP/new
    a link from inside to outside          | ln $TOP/beside/secret here; mv a.txt $TOP/beside/
    another program's file, removed        | rm -f $TOP/beside/secret
  `
  on.each(sampled(outside, 1))(`%s cannot be changed${missing}`, (_, command = '') => {
    const { run, top } = lab()
    expect(run(command)).toMatch(/Permission denied|Invalid cross-device link|Operation not permitted/)
    expect(readFileSync(join(top, 'beside/secret'), 'utf8')).toBe('PRIVATE\n')
    const made = [join(top, 'beside/new'), '/tmp/landlock-outside', join(top, 'new')]
    expect(made.filter((path) => existsSync(path))).toEqual([])
  })

  const changes = table`
    a new file                      | echo x > new            | Permission denied
    the content of a file           | echo x >> a.txt         | Permission denied
    the length of a file            | truncate -s 0 a.txt     | Permission denied
    a file, removed                 | rm -f a.txt             | Permission denied
    a file, by another name for it  | ln a.txt $TMPDIR/b && echo x >> $TMPDIR/b | Invalid cross-device link|denied
    a file, moved                   | mv a.txt $TMPDIR/       | Permission denied
    a mode                          | chmod 600 a.txt         | not permitted
    a mode, by an open file         | perl -e 'open F, "a.txt"; chmod 0600, *F or print $!' | not permitted
    an owner                        | chown 0:0 a.txt         | not permitted
    a time                          | touch -d 2001-01-01 a.txt | not permitted|Permission denied
    an attribute
      | perl -e '@a = ("a.txt", "user.a", "x"); syscall(${SETXATTR}, @a, 1, 0) and print $!' | not permitted
    the same, by what the command starts | setsid -w sh -c "chmod 600 a.txt; echo x > a.txt" | not permitted
  `
  on.each(changes)(`a command that only reads cannot change %s${missing}`, (_, command = '', why = '') => {
    const { run, top } = lab()
    const state = () => {
      const { mode, mtimeNs, ctimeNs, uid } = lstatSync(join(top, 'project/a.txt'), { bigint: true })
      return [readdirSync(join(top, 'project')), mode, mtimeNs, ctimeNs, uid].map(String)
    }
    const before = state()
    expect(run(command, undefined, 'readOnly')).toMatch(new RegExp(why))
    expect(state()).toEqual(before)
    // Not because nothing works there.
    expect(run('cat a.txt; cp a.txt $TMPDIR/c && echo y >> $TMPDIR/c && cat $TMPDIR/c', undefined, 'readOnly')).toBe(
      'in the project\nin the project\ny\n',
    )
  })

  on(`does not claim that where a folder for writing and the checkout overlap${missing}`, () => {
    const { top, wall } = lab()
    expect(wall.holdsReadOnly).toBe(true)
    const at = (path: string) => join(top, path)
    for (const writable of ['project/cache', '.']) {
      mkdirSync(at('project/cache'), { recursive: true })
      const options = { path: PATH, home: at('home'), readable: [], denied: [] }
      const other = openLandlock({ ...options, checkout: [at('project')], writable: [at(writable)] })
      if ('problem' in other) throw new Error(other.problem)
      onTestFinished(() => other.close())
      expect(other.holdsReadOnly, writable).toBe(false)
    }
  })

  const looks = table`
    no process outside can be signalled | kill -0 $PID; kill -0 $PARENT | (?:not permitted[\\s\\S]*){2}
    a process of its own can be         | sleep 60 & kill $! && wait $!; echo $? | ^143\\n
    no file is made immutable, so that all can be put back
      | perl -e 'open F, "a.txt"; $f = pack "i", 0x10; ioctl(F, 0x40086602, $f) or print $!'
      | not permitted|not supported|Inappropriate ioctl
    a set-user-id program gains nothing | grep NoNewPrivs /proc/self/status | 1
    git's settings come without credentials | git config --global --list | ^user\\.name=Ann\\n$
  `
  on.each(looks)(`%s${missing}`, (_, command = '', said = '') => {
    const own = command.replace('$PID', String(process.pid)).replace('$PARENT', String(process.ppid))
    expect(lab().run(own)).toMatch(new RegExp(said))
  })

  on(`TCP goes to the named ports only${missing}`, async () => {
    const port = await portHere(createServer((socket) => socket.end('hi')))
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`
    const { run } = lab()
    expect(run(connect, [])).toContain('Permission denied')
    expect(run(connect, [port === 9 ? 10 : 9])).toContain('Permission denied')
    expect(run(connect, [port])).toBe('connected\n')
    expect(run(connect)).toBe('connected\n')
  })

  on(`usual work is done${missing}`, () => {
    const { run, top } = lab()
    const work = [
      'git init -q; git add -A; git -c user.email=a@b commit -qm one; git log --format=%an',
      'mkdir -p d/e; mv a.txt d/e/; cat d/e/a.txt',
      'echo t > "$(mktemp)"; echo ok > $TMPDIR/x; ~/.cargo/bin/tool; echo here > /dev/null',
      "node -e \"require('fs').writeFileSync('n', 'x'); require('net').createServer().listen(0, () => process.exit())\"",
      'printf "a\\nb\\n" | sort -r | head -1; cat <(echo sub); (exec 3<<<here; cat <&3)',
    ]
    expect(run(work.join(' && '))).toBe('Ann\nin the project\ntool\nb\nsub\nhere\n')
    expect(execFileSync('git', ['status', '--short'], { cwd: join(top, 'project'), encoding: 'utf8' })).toContain(
      'D a.txt',
    )
  })

  on(`a place that a rule denies stays closed in a folder that is shown${missing}`, () => {
    const said = lab({ denied: ['home/.cargo/bin'] }).run('~/.cargo/bin/tool; cat ~/.cargo/credentials.toml')
    expect(said.match(/Permission denied/g)).toHaveLength(2)
  })
})

describe('what an older kernel is asked for', () => {
  const places = [{ path: '/x', rights: placeRights('write', true) }]
  const words = (given: number) => landlockWords('perl', given, { places, ports: [8080] }).slice(3)

  it.each([
    [2, ['8', '16383', '0', '0', 'path 14271 /x', '--']],
    [3, ['8', '32767', '0', '0', 'path 30655 /x', '--']],
    [4, ['16', '32767', '2', '0', 'path 30655 /x', 'port 2 8080', '--']],
    [5, ['16', '65535', '2', '0', 'path 30655 /x', 'port 2 8080', '--']],
    [7, ['24', '65535', '2', '3', 'path 30655 /x', 'port 2 8080', '--']],
  ])('is what version %i has', (given, rest) => expect(words(given).slice(2)).toEqual(rest))

  it('a file has only the rights of files', () => {
    expect(placeRights('write', false)).toBe(0b100_0000_0000_0111n)
    expect(placeRights('list', false)).toBe(0n)
  })

  it('without perl there is no wall', () => {
    const none = { path: '/nowhere', home: homedir(), checkout: [], writable: [], readable: [], denied: [] }
    expect(openLandlock(none)).toEqual({ problem: 'perl is missing, which would start commands behind it' })
  })
})

describe('a run where no namespaces are', () => {
  const played = it.skipIf(!canPlayLandlock)
  const walls = [
    ['bubblewrap is required', {}, 69],
    ['Landlock is enough', { wall: 'landlock' }, 0],
    ['Landlock is enough, and it holds the network', { wall: 'landlock', network: 'none' }, 0],
    ['bubblewrap is named', { wall: 'bubblewrap' }, 69],
  ] as const
  played.each(sampled(walls, 0))(`ends or goes on, as the policy says: %s${missing}`, async (_, sandbox, code) => {
    const policy = { version: 1, permissions: { allow: ['Bash'] }, sandbox: { mode: 'required', ...sandbox } }
    const command = 'test "$HOME" != /root && echo kept out'
    const options = { through: NO_NAMESPACES, policy: JSON.stringify(policy) }
    const run = await playRun([{ name: 'Bash', input: { command } }], options)
    expect(run.code, run.stderr).toBe(code)
    if (code === 0) expect(run.told).toEqual(['kept out'])
    else expect(run.stderr).toContain('sandbox.mode is required, and it does not start: bwrap')
  })

  /** Perl as on an older kernel: it says another version of Landlock. */
  function olderKernel(says: string): string {
    const bin = makeFolder()
    const script = `#!/bin/sh\ncase $2 in print*444*) echo ${says} ;; *) exec /usr/bin/perl "$@" ;; esac\n`
    writeFileSync(join(bin, 'perl'), script, { mode: 0o755 })
    return `${bin}:${PATH}`
  }
  const READ = `const { readFileSync: read } = require('fs')
    console.log(read('/proc/self/status', 'utf8').match(/NoNewPrivs.*/)[0])
    try { console.log(read('../k', 'utf8')) } catch (error) { console.log(error.code) }`
  const LOOK = { name: 'Bash', input: { command: `node -e "${READ}"; mkdir d; mv src/a d/; echo done` } }
  const policy = JSON.stringify({ version: 1, permissions: { allow: ['Bash', 'Edit'] } })
  const look = (more: Parameters<typeof playRun>[1]) =>
    playRun([LOOK], {
      ...{ through: NO_NAMESPACES, policy, files: { 'src/a': '' } },
      prepare: (project) => writeFileSync(join(project, '../k'), 'PRIVATE\n'),
      ...more,
    })
  const HELD = /NoNewPrivs:\s*1[\s\S]*EACCES\s+done/

  const held = table`
    2 | landlock 2; not held: TCP, signals, UDP
    3 | landlock 3; not held: TCP, signals, UDP
    4 | landlock 4; not held: signals, UDP
  `
  played.each(sampled(held, 0))(
    `holds files on a kernel with version %s, and says what not${missing}`,
    async (says = '', words = '') => {
      const run = await look({ env: { PATH: olderKernel(says) } })
      expect(run.stderr).toContain(words)
      expect(run.told[0]).toMatch(HELD)
    },
  )

  const none = table`
    1  | no Landlock: version 1 cannot move files between folders, Linux 5.19 can
    -1 | no Landlock: this kernel has none, or does not allow it
  `
  played.each(sampled(none, 0))(`says why it does not stand with version %s${missing}`, async (says = '', why = '') => {
    const run = await look({ env: { PATH: olderKernel(says) } })
    expect(JSON.stringify(run.records.find(({ type }) => type === 'system'))).toContain(why)
    expect(run.told[0]).toContain('PRIVATE')
  })

  played(`stands where no new privileges are allowed already${missing}`, { tags: 'long' }, async () => {
    expect((await look({ through: [...NO_NAMESPACES, 'setpriv', '--no-new-privs'] })).told[0]).toMatch(HELD)
  })

  played(`a killed run leaves nothing that the next one does not remove${missing}`, { tags: 'long' }, async () => {
    const shared = makeFolder()
    const options = { through: NO_NAMESPACES, policy, env: { TMPDIR: shared } }
    for (let count = 0; count < (isNight ? 60 : 3); count++) {
      const args = ['--output-format', 'stream-json']
      const run = await startPlay([{ name: 'Bash', input: { command: 'sleep 60.125' } }], { ...options, args })
      await run.saw('tool_intent')
      // From the start of the command on: the launcher, the shell, the sleep.
      await delay(count % 2 === 0 ? 0 : count)
      run.child.kill('SIGKILL')
      await run.ended()
    }
    const last = await playRun([{ name: 'Bash', input: { command: 'echo fine' } }], options)
    expect(last.told, last.stderr).toEqual(['fine'])
    expect(readdirSync(shared).filter((name) => name.startsWith('kode-run-'))).toEqual([])
    expect(commandLines().map(({ text }) => text)).not.toContain('sleep 60.125')
  })

  played(`says which wall stands, and undoes what no rule allows${missing}`, { tags: 'long' }, async () => {
    const commands = [
      'echo new > src/new; git add -A; git commit -qm new; git log --format=%s -1',
      'echo no > other; cat /proc/$PPID/environ > /dev/null',
      "node -e \"require('net').connect(1, '127.0.0.1').on('error', (error) => console.log(error.code))\"",
    ]
    const rules = { permissions: { allow: ['Bash', 'Edit(src/**)'] }, sandbox: { network: 'none' } }
    const run = await playRun(
      commands.map((command) => ({ name: 'Bash', input: { command } })),
      {
        ...{ through: NO_NAMESPACES, policy: JSON.stringify({ version: 1, ...rules }), files: { 'src/a': 'a\n' } },
        prepare: (cwd) => {
          const git = commitAll(cwd)
          for (const name of ['name', 'email']) git('config', `user.${name}`, 'a@b')
        },
      },
    )
    expect(run.stderr).toMatch(/sandbox landlock \(landlock \d+; not held: UDP, .* no sandbox: bwrap: /)
    expect(run.stderr).toContain('changes watched, network none (advisory)')
    expect(run.told[0]).toBe('new')
    expect(run.told[1]).toMatch(/environ: Permission denied[\s\S]*(?:was kept|Not kept): other \(new\)/)
    expect(run.told[2]).toBe('EACCES')
  })
})
