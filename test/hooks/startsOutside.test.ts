import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startsOutside } from '../../src/hooks/startsOutside.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'

const scripts = { 'project/ci/guard.sh': '', 'project/ci/a:b.sh': '' }
const base = makeFiles({ ...scripts, link: '-> project/ci', 'snapshot/': '' })
const [project, snapshot] = [join(base, 'project'), join(base, 'snapshot')]
const place = { cwd: project, checkout: [project] }

const line = (command: string) => ({ type: 'command', command }) as const
const words = (command: string, ...args: string[]) => ({ type: 'command', command, args }) as const

describe('startsOutside', () => {
  it.each([
    // Only an absolute program says that it is of the machine: of another, the project may be what it works on.
    [words('/usr/local/bin/guard', '--strict'), true],
    [line('/usr/local/bin/guard --strict'), true],
    [line('/usr/bin/jq -r .tool_name | /usr/local/bin/guard > /var/log/guard'), true],
    [line('/usr/local/bin/guard && echo ok'), true],
    [words('/usr/bin/node', '/opt/guard/index.mjs', 'https://audit.example/x'), true],
    [line('guard --strict'), false],
    [line('npm run guard'), false],
    [line('npx --no-install thing'), false],
    [line('make guard'), false],
    [line('/usr/local/bin/guard; npm run guard'), false],
    // A word that names the checkout, something in it, or what holds it.
    [words('/usr/bin/node', 'ci/guard.sh'), false],
    [words('/usr/bin/node', '${CLAUDE_PROJECT_DIR}/x.mjs'), false],
    [words('/usr/bin/make', '-C', project), false],
    [words('/usr/bin/make', `-C${project}`), false],
    [words('/usr/bin/make', '-C', base), false],
    [words('/usr/bin/node', '--import=./ci/guard.sh'), false],
    [words('/usr/bin/node', '--import=ci/a:b.sh'), false],
    [words('/bin/sh', join(base, 'link', 'guard.sh')), false],
    [words(join(base, 'link', 'guard.sh')), false],
    [words('./ci/guard.sh'), false],
    [line('/usr/local/bin/guard . '), false],
    [line('/bin/cat /etc/hostname > ci/guard.sh'), false],
    // What only the shell knows.
    [line('/bin/sh "$X"'), false],
    [line('/bin/sh `x`'), false],
    [line('/bin/sh $(x)'), false],
    [line('/bin/sh c?/guard.sh'), false],
    [line('if true; then /usr/local/bin/guard; fi'), false],
    [line('cd "$CLAUDE_PROJECT_DIR" && /usr/local/bin/guard'), false],
  ])('%j: %s', (hook, expected) => {
    expect(startsOutside(hook, place)).toBe(expected)
  })

  it('true in a snapshot for commands that do not name the checkout', () => {
    const there = { cwd: snapshot, checkout: [project] }
    expect(startsOutside(line('sh ci/guard.sh'), there)).toBe(true)
    expect(startsOutside(line('sh "$CLAUDE_PROJECT_DIR"/ci/guard.sh'), there)).toBe(true)
    expect(startsOutside(line(`sh ${project}/ci/guard.sh`), there)).toBe(false)
    // A line that only the shell understands.
    expect(startsOutside(line('sh "$X"/guard.sh'), there)).toBe(true)
    expect(startsOutside(line(`sh "$X" ${project}/ci/guard.sh`), there)).toBe(false)
  })

  it('knows a program without a path as one of the checkout if it starts in any of its folders', () => {
    expect(startsOutside(line('guard'), { cwd: project, checkout: [snapshot, project] })).toBe(false)
  })

  it('true for hooks that are not commands', () => {
    expect(startsOutside({ type: 'prompt', prompt: 'ci/guard.sh' }, place)).toBe(true)
  })
})
