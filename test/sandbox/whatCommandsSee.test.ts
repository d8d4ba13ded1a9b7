import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from '../../src/sandbox/environment/childPath.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { gitAt } from '../helpers/git.ts'
import { missing, PATH } from './openedSandbox.ts'

const SCRIPT = join(import.meta.dirname, '../helpers/effects/seeCommands.ts')

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
  writeFiles(top, { 'checkout/a.txt': 'a', 'home/.keep': '', ...files })
  if (node !== undefined) {
    cpSync(realpathSync(process.execPath), join(top, node))
    writeFiles(top, { 'links/node': `-> ../${node}` })
  }
  const git = gitAt(join(top, 'checkout'))
  git('init', '-q', '-b', 'main')
  git('add', 'a.txt', ...(look.tracked ?? []).flatMap((path) => ['-f', path]))
  git('commit', '-qm', 'one')
  const filled = JSON.parse(JSON.stringify(look).replaceAll('TOP', top).replaceAll('SYSTEM', PATH)) as typeof look
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

type Looks<Kind extends Look> = Readonly<Record<string, Kind>>
const looks: { readonly hidden: Looks<Look>; readonly shown: Looks<Look & { readonly prints: string }> } = parse(
  readFileSync(new URL('whatCommandsSee.yml', import.meta.url), 'utf8'),
)
const HIDDEN = Object.entries(looks.hidden)
const PROGRAMS = [
  ...['node -p 1', 'npm --version', 'git --version', 'python3 -c "import ssl, json"', 'perl -e 1', 'awk 1 /dev/null'],
]
const SHOWN = [
  ...Object.entries(looks.shown),
  ...PROGRAMS.filter((command) => findProgram(command.split(' ')[0] ?? '', PATH) !== undefined).map(
    (command) =>
      [`${command} starts`, { script: `${command} >/dev/null 2>&1 && echo started`, prints: 'started\n' }] as const,
  ),
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

  it.each(SHOWN.map(([what, { prints }], index) => [what, prints, index] as const))('%s', (_what, expected, index) => {
    expect(printed[HIDDEN.length + index]?.replace(/TOP\/\d+/g, 'TOP')).toBe(expected)
  })
})
