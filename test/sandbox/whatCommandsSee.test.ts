import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../src/sandbox/environment/childPath.ts'
import { openSandbox } from '../../src/sandbox/openSandbox.ts'
import { gitAt } from '../helpers/git.ts'

/** Only what the system has: what the machine of a developer has besides is a matter of single tests. */
const PATH = '/usr/local/bin:/usr/bin:/bin'
const SCRIPT = join(import.meta.dirname, '../helpers/effects/seeCommands.ts')

const probe = await openSandbox({
  settings: { mode: 'auto', network: 'none', allow: [], writable: [], readable: [] },
  ...{ workspaces: [tmpdir()], survey: { repositories: [], secrets: [], leftovers: [] }, home: undefined, path: PATH },
  ...{ readOnly: [], hidden: [], isOpened: () => false, onRefusal: () => undefined },
})
await probe.close()
const missing = probe.state === 'enforced' ? '' : ` (needs bubblewrap: ${probe.detail})`

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
type User = 'root' | 'an ordinary user' | 'this user'
const USERS: readonly User[] =
  isRoot && findProgram('setpriv', PATH) !== undefined ? ['root', 'an ordinary user'] : ['this user']

type Look = {
  readonly files?: Readonly<Record<string, string>>
  readonly script: string
  /** Where to put a node, to which `links/node` leads. */
  readonly node?: string
  readonly tracked?: readonly string[]
  readonly readable?: readonly string[]
  readonly denied?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

let root = ''
beforeAll(() => {
  // Not below /tmp: that is a place of the run's own, where nothing shows in any case.
  root = realpathSync(mkdtempSync(join(isRoot ? '/srv' : tmpdir(), 'see-')))
  chmodSync(root, 0o755)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Makes a checkout beside other things in a folder of its own, and says what is to be run there. */
function prepare(top: string, { files = {}, script, node, ...look }: Look) {
  const all = { 'checkout/a.txt': 'a', 'home/.keep': '', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  if (node !== undefined) {
    mkdirSync(dirname(join(top, node)), { recursive: true })
    cpSync(realpathSync(process.execPath), join(top, node))
    mkdirSync(join(top, 'links'))
    symlinkSync(join('..', node), join(top, 'links/node'))
  }
  const git = gitAt(join(top, 'checkout'))
  git('init', '-q', '-b', 'main')
  git('add', 'a.txt', ...(look.tracked ?? []).flatMap((path) => ['-f', path]))
  git('commit', '-qm', 'one')
  const filled = JSON.parse(JSON.stringify(look).replaceAll('TOP', top)) as typeof look
  const rest = { readable: [], denied: [], environment: {}, ...filled }
  return { workspace: join(top, 'checkout'), home: join(top, 'home'), path: PATH, script, ...rest }
}

/** What each command prints, in a process of this user: to start one takes longer than all the commands. */
function lookAll(user: User, looks: readonly Look[]): readonly string[] {
  const top = join(root, user.replaceAll(' ', '-'))
  const prepared = looks.map((look, index) => prepare(join(top, String(index)), look))
  const args = ['--import', 'tsx', SCRIPT, JSON.stringify(prepared)]
  const settings = { encoding: 'utf8', env: { ...process.env, TMPDIR: '/tmp' }, stdio: 'pipe' } as const
  const run = () => {
    if (user !== 'an ordinary user') return execFileSync(process.execPath, args, settings)
    give(top)
    const drop = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups', '--', process.execPath]
    return execFileSync('setpriv', [...drop, ...args], settings)
  }
  return (JSON.parse(run()) as string[]).map((text) => text.replaceAll(top, 'TOP'))
}

function give(path: string): void {
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    chownSync(join(path, entry), NOBODY, NOBODY)
  chownSync(path, NOBODY, NOBODY)
}

/** What must not be there; whoever finds it prints CANARY. */
const HIDDEN: readonly (readonly [string, Look])[] = [
  [
    'another checkout beside it',
    { files: { 'sibling/x': 'CANARY' }, script: 'cat ../sibling/x; ls .. | grep -c sibling | sed "s,^1,CANARY,"' },
  ],
  ['another home', { files: { 'other/.ssh/id_rsa': 'CANARY' }, script: 'cat ../other/.ssh/id_rsa; ls /home' }],
  [
    'logins at home',
    {
      files: { 'home/.ssh/id_rsa': 'CANARY', 'home/.aws/credentials': 'CANARY', 'home/.npmrc': 'CANARY' },
      script: 'cat ~/.ssh/* ~/.aws/* ~/.npmrc',
    },
  ],
  [
    'settings of tools at home',
    { files: { 'home/.config/pip/pip.conf': 'CANARY' }, script: 'cat ~/.config/pip/pip.conf; ls -A ~/.config' },
  ],
  ['documents at home', { files: { 'home/notes.txt': 'CANARY' }, script: 'cat ~/notes.txt; ls ~' }],
  [
    'logins among toolchains',
    {
      files: {
        'home/.cargo/credentials.toml': 'CANARY',
        'home/.m2/settings.xml': 'CANARY',
        'home/.config/git/credentials': 'CANARY',
      },
      script: 'cat ~/.cargo/c* ~/.m2/* ~/.config/git/*',
    },
  ],
  [
    'a login in a folder that is readable',
    {
      files: { 'home/.config/gh/hosts.yml': 'CANARY' },
      readable: ['TOP/home/.config'],
      script: 'cat ~/.config/gh/*',
    },
  ],
  [
    'what a rule denies in a folder that is readable',
    {
      files: { 'data/x/secret': 'CANARY' },
      readable: ['TOP/data'],
      denied: ['TOP/data/x'],
      script: 'cat ../data/x/*',
    },
  ],
  ['an untracked .env', { files: { 'checkout/.env': 'CANARY' }, script: 'cat .env; mv .env x; cp .env y; cat x y' }],
  [
    'a tracked key far down',
    {
      files: { 'checkout/a/b/c/d/e/f/server.pem': 'CANARY' },
      tracked: ['a'],
      script: 'cat a/b/c/d/e/f/*; git diff; git status --porcelain',
    },
  ],
  [
    'what a link in the checkout leads to',
    {
      files: { 'sibling/x': 'CANARY', 'checkout/.envrc': 'CANARY' },
      script: 'ln -s ../sibling/x l; ln .envrc h; cat l h',
    },
  ],
  [
    'folders of the machine',
    {
      script:
        'ls -d /srv/* /mnt /media /root /run/* /var/lib/[!d]* /boot 2>/dev/null | grep -v "^/srv/see-" | grep -v kode-run | sed s/^/CANARY/',
    },
  ],
  [
    'the passwords of the machine',
    {
      script: 'cat /etc/shadow /etc/sudoers /etc/ssh/ssh_host_*_key /etc/ssl/private/* 2>/dev/null | sed s/^/CANARY/',
    },
  ],
]

/** What must be there, and what the command prints then. */
const SHOWN: readonly (readonly [string, Look, string])[] = [
  ['the checkout', { script: 'cat a.txt' }, 'a'],
  ['a toolchain at home', { files: { 'home/.cargo/bin/x': 'tool' }, script: 'cat ~/.cargo/bin/x' }, 'tool'],
  [
    'git’s settings',
    { files: { 'home/.gitconfig': '[user]\n\tname = Somebody\n' }, script: 'git config user.name' },
    'Somebody\n',
  ],
  [
    'what sandbox.readable names',
    {
      files: { 'home/.config/pip/pip.conf': 'pip', 'data/x': 'x' },
      readable: ['TOP/home/.config/pip/pip.conf', 'TOP/data'],
      script: 'cat ~/.config/pip/pip.conf ../data/x',
    },
    'pipx',
  ],
  [
    'a folder of programs that the search path names, and what lies beside it',
    {
      files: { 'opt/bin/x': 'x', 'opt/lib/y': 'y', 'opt/secret': 'z' },
      environment: { PATH: `TOP/opt/bin:${PATH}` },
      script: 'cat ../opt/bin/x ../opt/lib/y; ls ../opt',
    },
    'xybin\nlib\n',
  ],
  [
    'where a variable says that a toolchain is',
    { files: { 'jdk/release': '17' }, environment: { JAVA_HOME: 'TOP/jdk' }, script: 'cat ../jdk/release' },
    '17',
  ],
  [
    '.env files that they make themselves',
    { files: { 'checkout/.env': 'x' }, script: 'mkdir b && echo mine > b/.env && cat b/.env' },
    'mine\n',
  ],
  ['examples of .env files', { files: { 'checkout/.env.example': 'x' }, script: 'cat .env.example' }, 'x'],
  [
    'names, users, time zones, certificates',
    {
      script:
        'getent passwd root | cut -d: -f1; TZ=Europe/Berlin date +%Z | tr -d ST; test -s /etc/resolv.conf || test ! -e /etc/resolv.conf && echo ok',
    },
    'root\nCE\nok\n',
  ],

  [
    'git takes what is hidden for unchanged, and does not see what it does not track',
    {
      files: { 'checkout/server.pem': 'KEY', 'checkout/.env': 'x', 'checkout/deep/id_rsa': 'x' },
      tracked: ['server.pem'],
      environment: {
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@b',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@b',
      },
      script: `git status --porcelain; git diff; echo b > a.txt; git add -A && git commit -qm two && git show --format= --name-only;
        git show HEAD:server.pem | head -c 3; git stash -q 2>/dev/null; git reset -q --hard; git status --porcelain`,
    },
    'a.txt\nKEY',
  ],
  [
    'nothing beside the checkout can be written',
    {
      files: { 'home/.cargo/bin/x': '' },
      script:
        'for p in ../x /x /srv/x /usr/x /etc/x ~/.cargo/x; do { echo x > $p; } 2>/dev/null && echo wrote $p; done; :',
    },
    '',
  ],
  ...['node -p 1', 'npm --version', 'git --version', 'python3 -c "import ssl, json"', 'perl -e 1', 'awk 1 /dev/null']
    .filter((command) => findProgram(command.split(' ')[0] ?? '', PATH) !== undefined)
    .map((command): readonly [string, Look, string] => [
      `${command} starts`,
      { script: `${command} >/dev/null 2>&1 && echo started` },
      'started\n',
    ]),
  [
    'a node from an odd place starts',
    { node: 'tools/node/bin/node', environment: { PATH: `TOP/links:${PATH}` }, script: 'command -v node; node -p 7' },
    'TOP/links/node\n7\n',
  ],
]

describe.skipIf(missing !== '').each(USERS)(`what commands of %s see${missing}`, { tags: 'long' }, (user) => {
  let printed: readonly string[] = []
  beforeAll(() => {
    printed = lookAll(
      user,
      [...HIDDEN, ...SHOWN].map(([, look]) => look),
    )
  }, 120_000)

  it.each(HIDDEN.map(([what], index) => [what, index] as const))('not %s', (_what, index) => {
    expect(printed[index]).not.toContain('CANARY')
  })

  it.each(SHOWN.map(([what, , expected], index) => [what, expected, index] as const))(
    '%s',
    (_what, expected, index) => {
      const text = printed[HIDDEN.length + index]?.replace(/TOP\/\d+/g, 'TOP')
      expect(text).toBe(expected)
    },
  )
})
