import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGitRunner } from '../../../src/git/own/gitRunner.ts'
import { openSnapshot, type SnapshotOptions } from '../../../src/git/own/openSnapshot.ts'
import { makeFolder, makeRepository } from '../../helpers/github/actionRun.ts'

async function open(options: Omit<SnapshotOptions, 'runGit'>) {
  const snapshot = await openSnapshot({ ...options, runGit: createGitRunner(process.env['PATH'] ?? '') })
  onTestFinished(() => snapshot.close())
  return snapshot
}

const config = { reason: 'config' }

describe('a snapshot', () => {
  it('has the files of the commit, whatever the checkout contains, even for a project in a subfolder', async () => {
    const { folder, commits } = makeRepository({ 'a.txt': 'one\n', 'part/b.txt': 'one\n' }, { 'a.txt': 'two\n' })
    const [first = ''] = commits
    const snapshot = await open({ cwd: join(folder, 'part'), ref: first })
    expect(readFileSync(join(snapshot.root, '../a.txt'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(snapshot.root, 'b.txt'), 'utf8')).toBe('one\n')
    expect([snapshot.commit, snapshot.top]).toEqual([first, folder])
    await snapshot.close()
    expect(existsSync(snapshot.root)).toBe(false)
  })

  it('accepts a ref, but no option and nothing that is not a commit', { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository({ 'a.txt': 'one\n' })
    expect((await open({ cwd: folder, ref: 'main' })).commit).toBe(commits[0])
    for (const ref of ['nowhere', '--upload-pack=touch x', '--help', 'main:a.txt', '', 'd'.repeat(40)]) {
      await expect(open({ cwd: folder, ref })).rejects.toMatchObject(config)
    }
    await expect(open({ cwd: makeFolder('kode-run-none-'), ref: 'main' })).rejects.toMatchObject(config)
  })

  it('runs no filter, hook or monitor of the repository', async () => {
    const { folder, git } = makeRepository({ 'a.txt': 'one\n', '.gitattributes': '*.txt filter=evil\n' })
    const mark = join(makeFolder('kode-run-mark-'), 'ran')
    git('config', 'filter.evil.smudge', `touch ${mark}; cat`)
    git('config', 'core.fsmonitor', `touch ${mark}; false`)
    writeFileSync(join(folder, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
    const { root } = await open({ cwd: folder, ref: 'main' })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n')
    expect(existsSync(mark)).toBe(false)
  })

  it('fetches a commit that a shallow clone lacks, into a place of its own', { tags: 'long' }, async () => {
    const origin = makeRepository({ 'a.txt': 'one\n' }, { 'a.txt': 'two\n' })
    const [first = ''] = origin.commits
    const clone = join(makeFolder('kode-run-clone-'), 'clone')
    const url = `file://${origin.folder}`
    execFileSync('git', ['clone', '--quiet', '--depth=1', url, clone])
    await expect(open({ cwd: clone, ref: first })).rejects.toMatchObject(config)
    const { root } = await open({ cwd: clone, ref: first, remote: { url, token: undefined } })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n')
    await expect(open({ cwd: clone, ref: first })).rejects.toMatchObject(config)
  })
})
