import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openAccount } from '../../../src/effects/openAccount.ts'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import type { Checkout } from '../../../src/git/repository/readCheckout.ts'
import type { Resumed } from '../../../src/run/resume/loadResumed.ts'
import { type ResumeOptions, resumeWorkTree } from '../../../src/run/resume/resumeWorkTree.ts'
import { type Files, makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { commitAll } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { RUN_GIT } from '../../helpers/runs/watchedProject.ts'

it.each([
  ['a killed run recorded no changes: refused', null, true, 'was killed before it could record its changes'],
  ['an ended run without changes: nothing to do', 'max_turns', true, undefined],
  ['an ended run that is not applied: nothing to do', 'max_turns', false, undefined],
])('--apply-patch of %s', async (_, exit_reason, applyPatch, refusal) => {
  const checkout = { top: '/project', commit: 'a' } as Checkout
  const resumed = { patch: null, base: 'a', changes: [], event: { from: { exit_reason } } } as unknown as Resumed
  const attempt = resumeWorkTree(checkout, resumed, { config: { applyPatch } } as ResumeOptions)
  if (refusal === undefined) expect(await attempt).toEqual([])
  else await expect(attempt).rejects.toMatchObject({ reason: 'bad_input', message: expect.stringContaining(refusal) })
})

const NEW = 'diff --git a/c b/c\nnew file mode 100644\n--- /dev/null\n+++ b/c\n@@ -0,0 +1 @@\n+new\n'

/** A checkout with a commit of these files, the changes since, and an account that begins after them. */
function left(files: Files, change: (top: string) => void) {
  const top = makeFiles(files)
  const base = commitAll(top)('rev-parse', 'HEAD')
  change(top)
  const place = { checkout: openCheckout([top]), top, folder: join(makeFolder(), 'images'), runGit: RUN_GIT }
  const account = openAccount(place)
  const options = { config: { applyPatch: false }, git: RUN_GIT, account } as unknown as ResumeOptions
  const changed = async () => (await account.report()).changes.map(({ path, status }) => `${path} ${status}`)
  return { top, base, options, changed }
}

describe('what a killed run left', () => {
  const KILLED = { patch: null, changes: [], event: { from: { exit_reason: null } } }

  it('counts as there before where it cannot be compared: a warning says so', async () => {
    const top = makeFolder()
    const resumed = { ...KILLED, base: 'a', changedFiles: [] } as unknown as Resumed
    const checkout = { top, commit: 'a' } as Checkout
    expect(await resumeWorkTree(checkout, resumed, { config: { applyPatch: false } } as ResumeOptions)).toEqual([
      expect.stringMatching(
        /killed .* What it left in the work tree counts as there before: .* checks\.protect does not see it\.$/,
      ),
    ])
  })

  it('counts for the new run where its calls changed it, whoever changed other files', async () => {
    const { top, base, options, changed } = left({ own: 'old\n', other: 'old\n', gone: 'x\n' }, (top) => {
      writeFiles(top, { own: 'new\n', other: 'new\n', made: 'new\n', 'mine.txt': 'new\n' })
      rmSync(join(top, 'gone'))
    })
    const changedFiles = ['own', 'made', 'gone', 'never'].map((name) => join(top, name))
    const resumed = { ...KILLED, base, changedFiles } as unknown as Resumed
    expect(await resumeWorkTree({ top, commit: base } as Checkout, resumed, options)).toEqual([
      expect.stringMatching(/What a call that was cut off left in the work tree counts as there before/),
    ])
    expect(await changed()).toEqual(['gone deleted', 'made added', 'own modified'])
  })

  it('is named where somebody changed it since, and counts beside it', async () => {
    const files = { a: 'new\n', b: 'newer\n' }
    const { top, base, options, changed } = left({ a: 'old\n', b: 'old\n' }, (top) => writeFiles(top, files))
    const part = (name: string) =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-old\n+new\n`
    const changes = ['a', 'b', 'c'].map((path) => ({ path, by: ['call'] }))
    const ended = {
      patch: `${part('a')}${part('b')}${NEW}`,
      base,
      changes,
      event: { from: { exit_reason: 'max_turns' } },
    }
    const checkout = { top, commit: base } as Checkout
    expect(await resumeWorkTree(checkout, ended as unknown as Resumed, options)).toEqual([
      expect.stringMatching(/^These files are not as the run left them, and count as there before: b, c\. /),
    ])
    expect(await changed()).toEqual(['a modified'])
  })
})
