import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commitHooks } from '../../../src/git/repository/commitHooks.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const HOOK = 'touch .git/hooks/commit-msg; chmod +x .git/hooks/commit-msg'

it.each([
  ['samples alone', 'git init -q; ls .git/hooks', undefined],
  ['no repository', 'true', undefined],
  ['hooks of git', `git init -q; ${HOOK}`, 'commit-msg in .git/hooks'],
  ['what is not executable', 'git init -q; touch .git/hooks/pre-commit', undefined],
  ['hooks of other commands', 'git init -q; touch .git/hooks/pre-push; chmod +x .git/hooks/pre-push', undefined],
  [
    'a folder that the settings name',
    'git init -q; git config core.hooksPath tools/hooks; mkdir -p tools/hooks; cd tools/hooks; touch pre-commit post-commit; chmod +x *',
    'pre-commit, post-commit in tools/hooks',
  ],
  ['a folder that is not there', 'git init -q; git config core.hooksPath gone', undefined],
  ['a part of the project', `git init -q ..; cd ..; ${HOOK}`, 'commit-msg in .git/hooks'],
])('names the hooks of a commit: %s', async (_what, prepare, hooks) => {
  const top = makeFolder()
  const cwd = join(top, 'part')
  execFileSync('bash', ['-ec', `mkdir "${cwd}"; cd "${cwd}"; ${prepare}`])
  expect(commitHooks(cwd)).toBe(hooks)
})
