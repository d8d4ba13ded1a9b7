import { expect, test } from 'vitest'
import { resolvePath } from '../../../src/files/resolvePath.ts'
import { withFullPaths } from '../../../src/query/runTools/permitToolUse.ts'

const context = { resolvePath: (path: string, cwd = '/srv/shop') => resolvePath(path, cwd, '/home/ci') }

test.each([
  [
    { file_path: 'src/a.ts', content: 'x' },
    { file_path: '/srv/shop/src/a.ts', content: 'x' },
  ],
  [{ file_path: './src/../.env' }, { file_path: '/srv/shop/.env' }],
  [{ file_path: '../../etc/passwd' }, { file_path: '/etc/passwd' }],
  [{ file_path: '/srv/shop/a' }, { file_path: '/srv/shop/a' }],
  [{ notebook_path: 'a.ipynb' }, { notebook_path: '/srv/shop/a.ipynb' }],
  [{ file_path: '' }, { file_path: '' }],
  [{ file_path: 7 }, { file_path: 7 }],
  [
    { command: 'ls', path: 'src' },
    { command: 'ls', path: 'src' },
  ],
])('hooks see %j as %j', (input, seen) => {
  expect(withFullPaths(input, context)).toEqual(seen)
})
