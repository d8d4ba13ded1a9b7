import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import { gitAt } from '../../helpers/git.ts'
import { bash, playRun, read, write } from '../../helpers/runs/playRun.ts'

/** A repository whose folder is `gd`, in the project. */
function separate(project: string): void {
  execFileSync('git', ['init', '-q', '--separate-git-dir=gd', '.'], { cwd: project })
  execFileSync('git', ['config', 'http.extraheader', 'AUTHORIZATION: canary'], { cwd: project })
}

describe('the folder of a repository that is not called .git', { tags: 'long' }, () => {
  it('is not written by calls, and its configuration not read', async () => {
    const run = await playRun(
      [
        [write('gd/info/attributes', '* filter=x\n'), write('gd/hooks/pre-commit', 'x'), bash('echo x >> gd/config')],
        [read('gd/config'), bash('cat gd/config'), bash('git status')],
      ],
      {
        policy: 'version: 1\npermissions: { presets: [read-only], allow: ["Edit(./**)"] }\n',
        files: { 'a.txt': 'x\n' },
        prepare: separate,
      },
    )
    expect(run.told.slice(0, 3)).toEqual([1, 2, 3].map(() => expect.stringContaining('never written')))
    expect(run.told.slice(3, 5)).toEqual([1, 2].map(() => expect.stringContaining('needs approval')))
    expect(run.told.join('\n')).not.toContain('canary')
    expect(run.told[5]).toContain('a.txt')
  })

  it('keeps what git runs from commands in the sandbox', async () => {
    const script =
      'for (const name of ["gd/hooks/x", "gd/info/attributes", "gd/config"]) try { require("fs").appendFileSync(name, "forged") } catch {}'
    const run = await playRun([bash('node x.js'), bash('git add a.txt')], {
      policy:
        'version: 1\npermissions: { allow: ["Bash(node x.js)", "Bash(git add *)", "Edit(./a.txt)"] }\nsandbox: { mode: required }\n',
      files: { 'a.txt': 'x\n', 'x.js': script },
      prepare: separate,
    })
    expect(run.told[0]).toMatch(/^Not kept: gd.hooks.x \(new\), gd.info.attributes \(new\)/)
    expect(run.told[1]).not.toContain('rror')
    expect(existsSync(join(run.project, 'gd/index'))).toBe(true)
    expect(existsSync(join(run.project, 'gd/hooks/x'))).toBe(false)
    expect(readFileSync(join(run.project, 'gd/config'), 'utf8')).not.toContain('forged')
  })
})

/** The folder above the project becomes a repository, with a file of its own. */
function partOfOne(project: string): void {
  const git = gitAt(join(project, '..'))
  writeFileSync(join(project, '../other.txt'), 'x\n')
  git('init', '-q')
  git('add', 'other.txt', 'project')
  git('commit', '-qm', 'one')
}

describe('a checkout that is a folder of a repository', { tags: 'long' }, () => {
  const calls = [bash('echo 1 > a.txt; git add . && git commit -qm own'), bash('echo 2 > a.txt; git commit -qam all')]
  const play = (mode: string) =>
    playRun(calls, {
      policy: `version: 1\npermissions: { allow: [Bash, Edit] }\nsandbox: { mode: ${mode} }\n`,
      files: { 'a.txt': '0\n' },
      prepare: partOfOne,
    })
  const show = (cwd: string, ...words: string[]) => execFileSync('git', ['show', ...words], { cwd, encoding: 'utf8' })

  it.skipIf(!hasBubblewrap)(
    'commits its own files, but not that the others are not seen (needs bubblewrap)',
    async () => {
      const run = await play('required')
      expect(run.told[0]).not.toContain('rror')
      expect(run.told[1]).toMatch(
        /^Nothing that .*brings other\.txt: it is outside the checkout, where commands see no files/s,
      )
      expect(show(run.base, 'HEAD:other.txt', 'HEAD:project/a.txt')).toBe('x\n1\n')
      expect(run.api.requests[0]?.body.messages[0].content[1].text).toContain('git lists the rest as deleted')
      expect(run.warnings().join('\n')).toContain('Add --add-dir .. to show commands the whole repository')
    },
  )

  it.skipIf(!hasBubblewrap)('is whole with the folder above it, and nothing is said (needs bubblewrap)', async () => {
    const run = await playRun([bash('git status --short')], {
      policy: 'version: 1\npermissions: { allow: [Bash], additionalDirectories: [..] }\nsandbox: { mode: required }\n',
      files: { 'a.txt': '0\n' },
      prepare: partOfOne,
    })
    expect(run.told[0]).not.toContain('other.txt')
    expect(run.warnings().join('\n')).not.toContain('--add-dir')
  })

  it('has no such files without a sandbox', async () => {
    const run = await play('off')
    expect(run.warnings().join('\n')).not.toContain('--add-dir')
    expect(show(run.base, 'HEAD:other.txt', 'HEAD:project/a.txt')).toBe('x\n2\n')
  })
})
