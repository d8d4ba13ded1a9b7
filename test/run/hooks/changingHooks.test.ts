import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeModes } from '../../helpers/bubblewrap.ts'
import { commitAll } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { bash, edit, type PlayedCall, playRun, read, write } from '../../helpers/runs/playRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

/** A formatter as people write it: it reads the path from the event, and its settings from beside itself. */
const FORMAT = `#!/bin/bash
file=$(sed -n 's/.*"file_path":"\\([^"]*\\)".*/\\1/p')
. "$(dirname "$0")/settings.sh"
sed -i "s/$FROM/$TO/" "$file"
`
const FILES = {
  'ci/format.sh': FORMAT,
  'ci/settings.sh': 'FROM=left TO=right\n',
  'ci/.env': 'CANARY-BESIDE-THE-SCRIPT\n',
  'src/a': 'one left\ntwo\n',
  'docs/a': 'left\n',
}

const hook = (command: string, matcher = 'Edit|Write|Bash') => ({ matcher, hooks: [{ type: 'command', command }] })

function play(calls: readonly PlayedCall[], hooks: readonly object[], mode: string, event = 'PostToolUse') {
  const permissions = { allow: ['Bash', 'Read', 'Edit(src/**)'], deny: ['Edit(src/locked)'] }
  return playRun(calls, {
    files: FILES,
    policy: { sandbox: { mode }, permissions, hooks: { [event]: hooks } },
    prepare: (cwd) => {
      execFileSync('bash', ['-ec', 'chmod +x ci/*.sh'], { cwd })
      commitAll(cwd)
    },
  })
}

describeModes('a hook after a call that changes files', (mode) => {
  it('changes what the call may; the model sees how, and goes on from there', async () => {
    const calls = [write('src/n', 'one left\n'), edit('src/n', 'one right', 'three left')]
    const run = await play(calls, [hook('./ci/format.sh')], mode)
    expect([treeOf(run.project)['src/n'], run.code], run.stderr).toEqual(['three right\n', 0])
    const said = JSON.stringify(run.api.requests.at(-1)?.body.messages)
    expect(said).toContain('The hook ./ci/format.sh changed files that you have read:\\nsrc/n:')
    expect(said).toContain('-one left\\n+one right')
    expect(run.records).toContainEqual(
      expect.objectContaining({
        subtype: 'effects',
        of: 'the hook ./ci/format.sh',
        kept: [{ path: 'src/n', kind: 'modified' }],
      }),
    )
    expect(run.result().changes).toMatchObject([{ path: 'src/n', status: 'added' }])
  })

  it('changes nothing that no rule covers, or that one denies', { tags: 'long' }, async () => {
    const hooks = [
      hook('sed -i s/left/up/ docs/a; echo ci >> ci/format.sh; true'),
      hook('touch src/locked; touch .git/hooks/a'),
    ]
    const run = await play([write('src/b', 'b')], hooks, mode)
    const tree = treeOf(run.project)
    const seen = ['docs/a', 'ci/format.sh', 'src/locked', 'src/b', '.git/hooks/a'].map((path) => tree[path])
    expect(seen).toEqual(['left\n', FORMAT, undefined, 'b', undefined])
    const said = JSON.stringify(run.api.requests.at(-1)?.body.messages)
    expect(said).toMatch(/Put back what the hook sed -i s\/left\/up\/ docs\/a.* changed: .*docs\/a \(modified\)/)
    expect(said).toMatch(/Put back what the hook touch src\/locked.* changed: .*src\/locked \(new\)/)
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
  })

  it('undoes no commit of the call, and keeps its own change where it fails', { tags: 'long' }, async () => {
    const calls = [bash('echo c > src/c; git add src/c; git commit -qm c; git stash list')]
    const run = await play(calls, [hook('touch src/d; exit 1')], mode)
    const log = execFileSync('git', ['log', '--format=%s'], { cwd: run.project, encoding: 'utf8' })
    expect([log, treeOf(run.project)['src/d'], run.code], run.stderr).toEqual(['c\nstart\n', '', 0])
    expect(run.stderr).toContain('exit code 1')
  })

  it('of the machine may change what its user may, and the model sees that, too', { tags: 'long' }, async () => {
    const folder = makeFolder()
    const script = join(folder, 'format')
    writeFileSync(script, FORMAT.replace(/^\. .*$/m, 'FROM=left TO=right'), { mode: 0o755 })
    const run = await play([write('src/n', 'left\n'), edit('src/n', 'right', 'wrong')], [hook(script)], mode)
    expect(treeOf(run.project)['src/n'], run.stderr).toBe('wrong\n')
    expect(JSON.stringify(run.api.requests.at(-1)?.body.messages)).toContain('A hook changed files that you have read')
  })

  it('leaves no copy of a secret beside its script where commands can read it', { tags: 'long' }, async () => {
    const search = bash(`grep -rhs . ${tmpdir()}/kode-run-hooks-* /tmp/kode-run-hooks-* || true`)
    const run = await play([search], [hook('./ci/format.sh')], mode)
    expect(run.told.at(-1), run.stderr).toContain('FROM=left')
    expect(run.told.at(-1)).not.toContain('CANARY-BESIDE-THE-SCRIPT')
  })

  it('only reads before a call, and after one that only reads', { tags: 'long' }, async () => {
    const before = await play([write('src/b', 'b')], [hook('touch src/x || exit 0')], mode, 'PreToolUse')
    const after = await play([read('src/a')], [hook('touch src/x || exit 0', 'Read')], mode)
    if (mode === 'required') {
      for (const run of [before, after]) expect(treeOf(run.project)['src/x'], run.stderr).toBeUndefined()
    }
  })
})
