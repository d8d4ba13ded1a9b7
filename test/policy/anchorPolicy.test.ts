import { describe, expect, it } from 'vitest'
import { resolvePath } from '../../src/files/resolvePath.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { anchorPolicy, loadPolicy } from '../../src/policy/loadPolicy.ts'

const first = await loadPolicy({
  cwd: '/project',
  home: '/root',
  flags: { allow: ['Read', 'Edit(src/**)'], deny: ['Read(/conf/prod/**)', 'Edit(/src/vendor/**)'] },
})
const moved = anchorPolicy(first, '/project/.kode-worktrees/a')

function judge(policy: typeof first, tool: 'Read' | 'Edit', path: string): string {
  const forms = resolvePath(path, policy.cwd, '/root')
  const access = tool === 'Read' ? 'read' : 'write'
  const subjects = [{ kind: 'path', access, path: forms, source: 'tool' }] as const
  return evaluate(policy, { tool, aliases: [], input: {}, subjects, isFree: false, isReadOnly: tool === 'Read' })
    .behavior
}

describe('a policy that moved into a work tree', () => {
  const rows: readonly ['Read' | 'Edit', string, string][] = [
    ['Read', '/project/conf/prod/key', 'deny'],
    ['Read', '/project/.kode-worktrees/a/conf/prod/key', 'deny'],
    ['Edit', '/project/src/vendor/x.js', 'deny'],
    ['Edit', '/project/.kode-worktrees/a/src/vendor/x.js', 'deny'],
    ['Edit', '/project/.kode-worktrees/a/src/x.js', 'allow'],
    ['Edit', '/project/src/x.js', 'ask'],
  ]
  for (const [tool, path, expected] of rows) {
    it(`${tool} ${path}: ${expected}`, () => expect(judge(moved, tool, path)).toBe(expected))
  }

  it('keeps the denies of the first root however often it moves', () => {
    expect(judge(anchorPolicy(moved, '/project/.kode-worktrees/b'), 'Read', '/project/conf/prod/key')).toBe('deny')
  })
})
