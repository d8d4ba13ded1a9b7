import { describe, expect, it } from 'vitest'
import { evaluate } from '../../../src/policy/evaluate.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { anchorPolicy } from '../../../src/policy/rules/indexPolicy.ts'
import { readCall, writeCall } from '../../helpers/policy/policyCalls.ts'
import { table } from '../../helpers/table.ts'

const first = await loadPolicy({
  cwd: '/project',
  home: '/root',
  flags: { allow: ['Read', 'Edit(src/**)'], deny: ['Read(/conf/prod/**)', 'Edit(/src/vendor/**)'] },
})
const moved = anchorPolicy(first, '/project/.kode-worktrees/a')

function judge(policy: typeof first, tool: string, path: string): string {
  return evaluate(policy, tool === 'Read' ? readCall(path) : writeCall(path, 'Edit')).behavior
}

describe('a policy that moved into a work tree', () => {
  it.each(table`
    Read | /project/conf/prod/key                     | deny
    Read | /project/.kode-worktrees/a/conf/prod/key   | deny
    Edit | /project/src/vendor/x.js                   | deny
    Edit | /project/.kode-worktrees/a/src/vendor/x.js | deny
    Edit | /project/.kode-worktrees/a/src/x.js        | allow
    Edit | /project/src/x.js                          | ask
  `)('%s %s: %s', (tool, path, expected) => expect(judge(moved, tool, path)).toBe(expected))

  it('keeps the denies of the first root however often it moves', () => {
    expect(judge(anchorPolicy(moved, '/project/.kode-worktrees/b'), 'Read', '/project/conf/prod/key')).toBe('deny')
  })
})

it('protects the copies of the policy and of absolute denied paths', async () => {
  const policy = await loadPolicy({
    file: '/project/ci/policy.yml',
    cwd: '/project',
    home: '/project/home',
    untouchable: ['/project/sum.md', '/elsewhere/t.jsonl'],
    read: async () =>
      JSON.stringify({
        version: 1,
        permissions: {
          allow: ['Edit(//**)'],
          deny: ['Edit({//project/abs.txt,//opt/x})', 'Edit(~/key)', 'Edit(//project/deep/**)'],
          ask: ['Edit(//project/asked)'],
        },
      }),
  })
  const tree = '/project/.kode-worktrees/a'
  const inTree = anchorPolicy(policy, tree)
  for (const name of ['ci/policy.yml', 'CI/policy.yml', 'sum.md', 'abs.txt', 'home/key', 'deep/er']) {
    expect(judge(inTree, 'Edit', `${tree}/${name}`), name).toBe('deny')
  }
  expect(judge(inTree, 'Edit', `${tree}/asked`)).toBe('ask')
  expect(judge(inTree, 'Edit', `${tree}/opt/x`)).toBe('allow')
  expect(judge(inTree, 'Edit', `${tree}/other`)).toBe('allow')
})
