import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSnapshot, type SnapshotOptions } from '../../../src/git/own/openSnapshot.ts'
import { createGitRunner } from '../../../src/git/own/ownGit.ts'
import { makeRepository } from '../../helpers/github/actionRun.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

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
    await expect(open({ cwd: makeFolder(), ref: 'main' })).rejects.toMatchObject(config)
  })

  it('runs no filter, hook or monitor of the repository', async () => {
    const { folder, git } = makeRepository({ 'a.txt': 'one\n', '.gitattributes': '*.txt filter=evil\n' })
    const mark = join(makeFolder(), 'ran')
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
    const clone = join(makeFolder(), 'clone')
    const url = `file://${origin.folder}`
    execFileSync('git', ['clone', '--quiet', '--depth=1', url, clone])
    await expect(open({ cwd: clone, ref: first })).rejects.toMatchObject(config)
    const { root } = await open({ cwd: clone, ref: first, remote: { url, token: undefined } })
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n')
    await expect(open({ cwd: clone, ref: first })).rejects.toMatchObject(config)
  })

  it('says what is missing and what helps', async () => {
    const none = makeFolder()
    const runGit = async () => undefined
    const attempt = (cwd: string, ref: string, remote?: SnapshotOptions['remote']) =>
      openSnapshot({ cwd, ref, runGit, remote }).then(String, ({ message }: Error) => message)
    const { folder } = makeRepository({ 'a.txt': 'one\n' })
    const missing = 'd'.repeat(40)
    expect([
      await attempt(none, 'main'),
      await attempt(folder, 'main'),
      await attempt(folder, missing),
      await attempt(folder, missing, { url: 'https://example.com/x', token: undefined }),
    ]).toEqual([
      expect.stringContaining(`"main" cannot be read: ${none} is not in a git repository`),
      expect.stringContaining('git does not know this commit'),
      expect.stringMatching(/it is not in this clone\. .*fetch-depth: 0/),
      expect.stringContaining('and https://example.com/x does not provide it'),
    ])
  })

  it('hands the token to git in the environment alone, for that host alone', async () => {
    const asked: { readonly args: readonly string[]; readonly environment: Readonly<Record<string, string>> }[] = []
    const { folder } = makeRepository({ 'a.txt': 'one\n' })
    const remote = { url: 'https://example.com:8443/octo/shop', token: 'ghs_x' }
    const runGit: SnapshotOptions['runGit'] = async (args, environment) => void asked.push({ args, environment })
    await expect(openSnapshot({ cwd: folder, ref: 'd'.repeat(40), runGit, remote })).rejects.toMatchObject(config)
    const fetch = asked.find(({ args }) => args[0] === 'fetch')
    expect(fetch?.environment).toMatchObject({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.https://example.com:8443/.extraheader',
      GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${Buffer.from('x-access-token:ghs_x').toString('base64')}`,
    })
    expect(fetch?.args.slice(-3)).toEqual(['--end-of-options', remote.url, 'd'.repeat(40)])
    expect(asked.filter((each) => each !== fetch && 'GIT_CONFIG_KEY_0' in each.environment)).toEqual([])
  })
})
