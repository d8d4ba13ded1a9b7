import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hookScripts } from '../../src/hooks/hookScripts.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'my scripts-')))
mkdirSync(join(root, 'hooks'))
for (const name of ['a.sh', 'b.mjs', 'notes.md']) writeFileSync(join(root, 'hooks', name), 'x')

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

  test('only files of these folders, and only of hooks that are commands', () => {
    expect(hookScripts({ type: 'command', command: 'hooks/a.sh' }, root, [join(root, 'other')])).toEqual([])
    expect(hookScripts({ type: 'prompt', prompt: 'hooks/a.sh' }, root, [root])).toEqual([])
  })
})
