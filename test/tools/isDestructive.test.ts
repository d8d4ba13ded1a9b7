import { describe, expect, it } from 'vitest'
import { BashTool } from '../../src/tools/BashTool/BashTool.ts'
import { EditTool } from '../../src/tools/EditTool/EditTool.ts'
import { WriteTool } from '../../src/tools/WriteTool/WriteTool.ts'

describe('a report marks as destructive', () => {
  it.each([
    ['rm -rf dist', true],
    ['cd src && git reset --hard', true],
    ['timeout 5 rm a', true],
    ['git checkout -- a.ts', true],
    ['git stash', true],
    ['git branch -D old', true],
    ['git push --force-with-lease', true],
    ['find . -name "*.o" -delete', true],
    ['git checkout -b new', false],
    ['git branch', false],
    ['git push', false],
    ['find . -name "*.o"', false],
    ['echo rm', false],
    ['git status', false],
    ['npm test', false],
  ])('%s: %s', (command, expected) => {
    expect(BashTool.isDestructive({ command })).toBe(expected)
  })

  it('no edit: what it replaces is in the diff', () => {
    expect(EditTool.isDestructive({ file_path: 'a', old_string: 'a', new_string: 'b' })).toBe(false)
    expect(WriteTool.isDestructive({ file_path: 'a', content: 'b' })).toBe(false)
  })
})
