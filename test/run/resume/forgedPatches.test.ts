import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bash, playRun } from '../../helpers/runs/playRun.ts'
import { commit } from '../../helpers/runs/resumedRuns.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { sampled } from '../../helpers/sampled.ts'

const POLICY = `version: 1
sandbox: { mode: off }
permissions: { allow: ["Bash(sh work.sh)", "Edit(src/**)"], deny: ["Read(conf/**)"] }
`
const FILES = {
  'work.sh': 'echo more >> src/a.txt',
  'src/a.txt': 'a\n',
  'conf/key.txt': 'CANARY\n',
  '.env': 'CANARY=1\n',
  'docs/b.txt': 'b\n',
}

/** Puts another patch into a transcript and chains its records anew, as anyone can. */
function forge(transcript: string, patch: string): void {
  let prev: string | undefined
  const lines = readFileSync(transcript, 'utf8').trimEnd().split('\n')
  const forged = lines.map((line) => {
    const record = JSON.parse(line)
    if (typeof record.patch === 'string') record.patch = patch
    if (prev !== undefined) record.prev = prev
    const text = JSON.stringify(record)
    prev = createHash('sha256').update(text).digest('hex')
    return text
  })
  writeFileSync(transcript, `${forged.join('\n')}\n`)
}

const added = (path: string, mode = '100644', line = 'x') =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\nindex 0000000..587be6b\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`
const moved = (verb: string, from: string, to: string, percent = 100) =>
  `diff --git a/${from} b/${to}\nsimilarity index ${percent}%\n${verb} from ${from}\n${verb} to ${to}\n`
const CHANGE = '--- a/.env\n+++ b/src/e.txt\n@@ -1 +1,2 @@\n CANARY=1\n+x\n'
const DOC = 'diff --git a/docs/b.txt b/docs/b.txt\n'
const REMOVAL = '--- a/docs/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n'

it.each(
  sampled(
    [
      ['copies a secret to where it may be read', moved('copy', '.env', 'src/e.txt')],
      ['copies what a rule hides', moved('copy', 'conf/key.txt', 'src/e.txt')],
      ['renames a secret', moved('rename', '.env', 'src/e.txt')],
      ['copies with a change', `${moved('copy', '.env', 'src/e.txt', 50)}${CHANGE}`],
      ['has two names', `diff --git a/.env b/src/e.txt\n${CHANGE}`],
      ['has no git header', CHANGE],
      ['goes above', added('../outside.txt')],
      ['goes above by an escape', added('"src/\\056\\056/\\056\\056/outside.txt"')],
      ['is absolute', added('/tmp/kode-run-never.txt')],
      ['writes a hook', added('.git/hooks/post-checkout', '100755')],
      ['makes a nested repository', added('src/n/.git/config')],
      ['makes a link', added('src/l', '120000')],
      ['makes a submodule', added('src/m', '160000', 'Subproject commit 587be6b4c3f93f93c489c0111bba5596147a26cb')],
      ['changes a file that no rule covers', `${DOC}--- a/docs/b.txt\n+++ b/docs/b.txt\n@@ -1 +1 @@\n-b\n+c\n`],
      ['changes a mode that no rule covers', `${DOC}old mode 100644\nnew mode 100755\n`],
      ['removes a file that no rule covers', `${DOC}deleted file mode 100644\n${REMOVAL}`],
      ['writes a workflow beside a covered file', `${added('src/ok.txt')}${added('.github/workflows/x.yml')}`],
    ],
    1,
    5,
  ),
)(
  'a patch that somebody else wrote into a transcript %s: nothing of it is applied',
  { tags: 'long' },
  async (_name, patch) => {
    const first = await playRun([bash('sh work.sh')], { policy: POLICY, files: FILES, prepare: commit })
    expect(first.result().patch).toContain('src/a.txt')
    forge(first.transcript, patch)
    let before: unknown
    const then = await playRun([], {
      args: ['--resume', first.transcript, '--apply-patch'],
      policy: POLICY,
      files: FILES,
      prepare(project) {
        commit(project)
        before = treeOf(project)
      },
    })
    expect([then.code, treeOf(then.project)], then.stderr).toEqual([65, before])
    expect([existsSync(join(then.base, 'outside.txt')), existsSync('/tmp/kode-run-never.txt')]).toEqual([false, false])
  },
)
