import { lstatSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { hookScripts, pinHooks, pinScript } from '../../src/hooks/pinHooks.ts'
import type { CommandHook } from '../../src/hooks/runCommandHook.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

let place: { readonly cwd: string; readonly other: string; readonly folder: string }
let warnings: string[]

beforeEach(() => {
  const base = makeFolder("it's pinned-")
  place = { cwd: join(base, 'project'), other: join(base, 'other'), folder: join(base, 'pins') }
  writeFiles(base, { 'project/hooks/a.sh': 'echo project', 'other/hooks/a.sh': 'echo other' })
  warnings = []
})

function pin(hook: CommandHook) {
  const { cwd, other, folder } = place
  const warn = (message: string) => void warnings.push(message)
  return pinHooks([hook], { cwd, checkout: [cwd, other], folder, isHidden, warn })(hook)
}

const isHidden = () => false
const line = (command: string): CommandHook => ({ type: 'command', command, timeout: 7 })
const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`
const copy = (...names: string[]) => join(place.folder, ...names)

test('a script in a line is replaced by a copy, and stays what it was', () => {
  const hook = pin(line('"$CLAUDE_PROJECT_DIR"/hooks/a.sh --strict | tee hooks.log'))
  const path = copy('0', 'hooks', 'a.sh')
  expect(hook).toEqual(line(`${quoted(path)} --strict | tee hooks.log`))
  writeFileSync(join(place.cwd, 'hooks', 'a.sh'), 'echo evil')
  expect(readFileSync(path, 'utf8')).toBe('echo project')
  expect(warnings).toEqual([])
})

test('a script of another folder of the checkout has a copy of its own', () => {
  const hook = pin(line(`bash hooks/a.sh && bash ${quoted(join(place.other, 'hooks', 'a.sh'))} $X`))
  const [first, second] = [copy('0', 'hooks', 'a.sh'), copy('1', 'hooks', 'a.sh')]
  expect(hook).toEqual(line(`bash ${quoted(first)} && bash ${quoted(second)} $X`))
  expect(readFileSync(second, 'utf8')).toBe('echo other')
})

test('without a shell, the program or its script is the copy, and other words stay', () => {
  const path = copy('0', 'hooks', 'a.sh')
  expect(pin({ type: 'command', command: 'bash', args: ['${CLAUDE_PROJECT_DIR}/hooks/a.sh', 'x y'] })).toEqual({
    ...{ type: 'command', command: 'bash', args: [path, 'x y'] },
  })
  expect(pin({ type: 'command', command: './hooks/a.sh', args: [] })).toEqual({
    ...{ type: 'command', command: path, args: [] },
  })
})

test('a hook that runs nothing of the checkout, and one that was not pinned, stay the same', () => {
  const hook = line('jq . hooks/a.sh')
  expect(pin(hook)).toBe(hook)
  const unknown = line('hooks/a.sh')
  expect(pinHooks([], { ...place, checkout: [place.cwd], isHidden, warn: () => undefined })(unknown)).toBe(unknown)
})

function project() {
  const base = makeFolder()
  const root = join(base, 'project')
  const paths = ['ci/guard.mjs', 'ci/lib/words.mjs', 'package.json', 'top.sh']
  writeFiles(root, { 'node_modules/': '', ...Object.fromEntries(paths.map((path) => [path, path])) })
  return { root, target: join(base, 'pins'), isHidden: (path: string) => path.endsWith('/.env') }
}

describe('pinScript', () => {
  it('copies the folder to the same place, with the settings above it and the packages as a link', () => {
    const place = project()
    const { root, target } = place
    const pinned = pinScript(join(root, 'ci/guard.mjs'), place)
    expect(pinned).toEqual({ path: join(target, 'ci/guard.mjs'), isAlone: false })
    for (const path of ['ci/guard.mjs', 'ci/lib/words.mjs', 'package.json']) {
      writeFileSync(join(root, path), 'changed')
      expect(readFileSync(join(target, path), 'utf8')).toBe(path)
    }
    expect(realpathSync(join(target, 'node_modules'))).toBe(join(root, 'node_modules'))
  })

  it('copies the files beside a script of the project itself, and no folder', () => {
    const place = project()
    const { root, target } = place
    writeFileSync(join(root, '.env'), 'secret')
    expect(pinScript(join(root, 'top.sh'), place)).toEqual({ path: join(target, 'top.sh'), isAlone: false })
    expect(readdirSync(target).sort()).toEqual(['node_modules', 'package.json', 'top.sh'])
  })

  it('copies nothing that commands must not read: they can read the copies', () => {
    const place = project()
    for (const folder of ['ci', 'ci/lib']) writeFileSync(join(place.root, folder, '.env'), 'secret')
    pinScript(join(place.root, 'ci/guard.mjs'), place)
    const copied = readdirSync(join(place.target, 'ci'), { recursive: true })
    expect(copied.sort()).toEqual(['guard.mjs', 'lib', 'lib/words.mjs'])
  })

  it('copies only the script if there is too much beside it', () => {
    const place = project()
    writeFileSync(join(place.root, 'large'), Buffer.alloc(11 * 1024 * 1024))
    expect(pinScript(join(place.root, 'top.sh'), place).isAlone).toBe(true)
    expect(pinScript(join(place.root, 'ci/guard.mjs'), place).isAlone).toBe(false)
    for (let index = 0; index < 1_001; index++) writeFileSync(join(place.root, 'ci', `${index}`), '')
    expect(pinScript(join(place.root, 'ci/guard.mjs'), place).isAlone).toBe(true)
  })

  it('copies the target of a link: the link itself would lead to a later version', () => {
    const place = project()
    const { root } = place
    symlinkSync('guard.mjs', join(root, 'ci/link.mjs'))
    const { path } = pinScript(join(root, 'ci/link.mjs'), place)
    expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, 'ci/guard.mjs'])
  })
})

const root = makeFolder('my scripts-')
writeFiles(root, { 'hooks/a.sh': 'x', 'hooks/b.mjs': 'x', 'hooks/notes.md': 'x' })

function named(command: string, args?: readonly string[]): readonly string[] {
  const hook = { type: 'command', command, ...(args === undefined ? {} : { args }) } as const
  return hookScripts(hook, root, [root]).map((path) => path.slice(root.length + 1))
}

describe('the scripts that a hook runs', () => {
  test.each([
    ['hooks/a.sh', ['hooks/a.sh']],
    ['"$CLAUDE_PROJECT_DIR"/hooks/a.sh --strict', ['hooks/a.sh']],
    ['cd "$CLAUDE_PROJECT_DIR" && ./hooks/a.sh', ['hooks/a.sh']],
    ['node hooks/b.mjs hooks/notes.md', ['hooks/b.mjs']],
    ['bash -e hooks/a.sh', ['hooks/a.sh']],
    ['FOO=1 exec env A=b hooks/a.sh', ['hooks/a.sh']],
    ['. hooks/a.sh; hooks/b.mjs | cat hooks/notes.md', ['hooks/a.sh', 'hooks/b.mjs']],
    ['cat > hooks/notes.md', []],
    ['hooks/a.sh > hooks/notes.md', ['hooks/a.sh']],
    ['jq . ; npm test', []],
    ['/usr/bin/env hooks/gone.sh', []],
    ['node $SOMEWHERE/b.mjs', []],
    ["echo 'hooks/a.sh'", []],
    // Signs in quotes are no operators, and the target of a redirect is no operand.
    ["cat 'a;b' hooks/a.sh", []],
    ['bash > log hooks/a.sh', ['hooks/a.sh']],
    ["FOO='a>b' hooks/a.sh", ['hooks/a.sh']],
    // What only the shell knows is an operand too: the script may be another one.
    ['node $SOMEWHERE hooks/b.mjs', []],
  ])('%s', (command, expected) => {
    expect(named(command)).toEqual(expected)
  })

  test('without a shell', () => {
    expect(named('node', ['${CLAUDE_PROJECT_DIR}/hooks/b.mjs', 'hooks/notes.md'])).toEqual(['hooks/b.mjs'])
    expect(named('./hooks/a.sh', [])).toEqual(['hooks/a.sh'])
  })

  test('only files of these folders', () => {
    expect(hookScripts({ type: 'command', command: 'hooks/a.sh' }, root, [join(root, 'other')])).toEqual([])
  })
})
