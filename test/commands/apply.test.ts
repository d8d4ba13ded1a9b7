import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diffLine, outputLine, type ProposedOutput } from '../../src/lib/proposedOutput.ts'
import { makeRepository } from '../helpers/github/actionRun.ts'
import {
  type GitHubAnswer,
  type GitHubCall,
  type GitHubServer,
  startGitHubServer,
} from '../helpers/github/githubServer.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'
import { sampled } from '../helpers/sampled.ts'

const POLICY = `version: 1
permissions: { allow: ["Edit(src/**)"], deny: ["Edit(src/fixed.txt)"] }
outputs:
  comment: { max: 2 }
  label: { max: 1, allow: [bug] }
  issue: { max: 1 }
  review_comment: { max: 2 }
  pull_request: { max: 1 }
  patch: { max: 1, allow: ["src/*"] }
`

/** A small GitHub: what was made is there when it is asked for. */
async function startGitHub(): Promise<GitHubServer> {
  const made = {
    comments: [] as object[],
    reviews: [] as object[],
    labels: [] as string[],
    issues: [] as object[],
    pulls: [] as object[],
    refs: 0,
  }
  const add = (list: object[], body: unknown): GitHubAnswer => {
    list.push({ ...(body as object), html_url: `https://github.com/made/${list.length + 1}` })
    return { status: 201, body: list.at(-1) }
  }
  const server = await startGitHubServer(({ method, path, body }: GitHubCall): GitHubAnswer => {
    const [place = ''] = path.replace('/repos/octo/shop', '').split('?')
    const isGet = method === 'GET'
    if (place === '') return { status: 200, body: { default_branch: 'main' } }
    if (place === '/issues/7/comments') return isGet ? { status: 200, body: made.comments } : add(made.comments, body)
    if (place === '/pulls/7') return { status: 200, body: { head: { sha: 'a'.repeat(40) } } }
    if (place === '/pulls/7/comments' && !isGet && (body as { line: number }).line > 5)
      return { status: 422, body: { message: 'line must be part of the diff' } }
    if (place === '/pulls/7/comments') return isGet ? { status: 200, body: made.reviews } : add(made.reviews, body)
    if (place === '/issues') return isGet ? { status: 200, body: made.issues } : add(made.issues, body)
    if (place === '/pulls') return isGet ? { status: 200, body: made.pulls } : add(made.pulls, body)
    if (place === '/issues/7/labels') {
      if (!isGet) made.labels.push(...(body as { labels: string[] }).labels)
      return { status: 200, body: made.labels.map((name) => ({ name })) }
    }
    if (place.startsWith('/git/ref/')) return made.refs > 0 ? { status: 200, body: {} } : undefined
    if (place === '/git/refs') made.refs += 1
    return place.startsWith('/git/') ? { status: 201, body: { sha: `sha-of-${place.slice(5)}` } } : undefined
  })
  onTestFinished(() => server.close())
  return server
}

type Given = {
  readonly outputs: readonly ProposedOutput[]
  readonly patch?: (folder: string) => void
  /** How git writes the patch, besides. */
  readonly diff?: readonly string[]
  readonly text?: string
  readonly args?: readonly string[]
  readonly token?: string
}

/** A clone, a file of outputs, and `kode-run apply` on it, as often as it is called. */
async function prepare({ outputs, patch, diff: words = [], text, args = [], token = 'write-token-0123456789' }: Given) {
  const { folder, commits, git } = makeRepository({ 'src/a.txt': 'old\n', 'policy.yml': POLICY })
  const server = await startGitHub()
  const file = join(makeFolder(), 'outputs.jsonl')
  let diff = ''
  if (patch !== undefined) {
    patch(folder)
    git('add', '-A')
    diff = diffLine(
      commits[0] ?? '',
      `${execFileSync('git', ['diff', '--cached', '--binary', ...words], { cwd: folder, encoding: 'utf8' })}`,
    )
    git('reset', '-q', '--hard')
  }
  writeFileSync(file, text ?? outputs.map(outputLine).join('') + diff)
  const apply = async () => {
    const { code, ...out } = await kodeRun(
      ['apply', file, '--policy', 'policy.yml', '--repo', 'octo/shop', '--target', '7', '--json', ...args],
      { cwd: folder, env: { GITHUB_API_URL: server.url, GITHUB_TOKEN: token } },
    )
    const states = out.stdout.startsWith('[') ? (JSON.parse(out.stdout) as { state: string; detail: string }[]) : []
    return {
      code,
      ...out,
      states: states.map(({ state }) => state),
      details: states.map(({ detail }) => detail).join('\n'),
    }
  }
  const writes = () => server.calls.filter(({ method }) => method !== 'GET')
  return { apply, writes, folder, server }
}

const COMMENT: ProposedOutput = {
  kind: 'comment',
  body: 'Hello @everyone, fixes #1 <img src="//evil.example/x"> ![x](//evil.example)',
}
const changeSource = (folder: string) => writeFileSync(join(folder, 'src/a.txt'), 'new\n')

describe('kode-run apply', () => {
  it('applies declared outputs once, however often it runs', async () => {
    const outputs: ProposedOutput[] = [
      COMMENT,
      { kind: 'label', labels: ['bug'] },
      { kind: 'issue', title: 'Follow up', body: 'Later.' },
      { kind: 'pull_request', title: 'Fix', body: 'Why.' },
      { kind: 'patch', title: 'Fix' },
    ]
    const { apply, writes, folder, server } = await prepare({ outputs, patch: changeSource })
    const first = await apply()
    expect([first.code, first.states]).toEqual([0, outputs.map(() => 'applied')])
    expect(readFileSync(join(folder, 'src/a.txt'), 'utf8')).toBe('new\n')
    const done = writes()
    expect(done.map(({ path }) => path.replace('/repos/octo/shop', ''))).toEqual([
      ...['/issues/7/comments', '/issues/7/labels', '/issues'],
      ...['/git/blobs', '/git/trees', '/git/commits', '/git/refs', '/pulls'],
    ])
    expect(done[3]?.body).toEqual({ content: Buffer.from('new\n').toString('base64'), encoding: 'base64' })
    expect(done[4]?.body).toMatchObject({
      tree: [{ path: 'src/a.txt', mode: '100644', type: 'blob', sha: 'sha-of-blobs' }],
    })
    expect(done[7]?.body).toMatchObject({ base: 'main', head: expect.stringMatching(/^kode-run\/[0-9a-f]{16}$/) })
    expect(server.calls.every(({ token }) => token === 'write-token-0123456789')).toBe(true)
    const second = await apply()
    expect([second.code, second.states]).toEqual([0, outputs.map(() => 'already')])
    expect(writes()).toHaveLength(done.length)
  })

  it('removes mentions, references, pictures and HTML that the agent wrote', async () => {
    const { apply, writes } = await prepare({ outputs: [COMMENT] })
    await apply()
    const [write] = writes()
    const text = String(Reflect.get(Object(write?.body), 'body'))
    expect(text).toContain('Hello')
    expect(text).not.toMatch(/<img|!\[x\]\(|@everyone|fixes #1/)
    expect(text).toMatch(/<!-- kode-run:[0-9a-f]{16} -->$/)
  })

  it.each<Given & { name: string; states: string[]; says: string }>(
    sampled<Given & { name: string; states: string[]; says: string }>(
      [
        {
          name: 'more than `max`',
          outputs: [1, 2, 3].map((n) => ({ kind: 'comment', body: `${n}` })),
          ...{ states: ['applied', 'applied', 'refused'], says: 'outputs.comment.max is 2' },
        },
        { name: 'a label', outputs: [{ kind: 'label', labels: ['admin'] }], states: ['refused'], says: '"admin"' },
        { name: 'a target', outputs: [{ kind: 'comment', body: 'x', number: 8 }], states: ['refused'], says: '#8' },
        {
          name: 'a workflow',
          outputs: [{ kind: 'pull_request', title: 'x', body: 'y' }],
          patch: (folder) => {
            execFileSync('mkdir', ['-p', join(folder, '.github/workflows')])
            writeFileSync(join(folder, '.github/workflows/x.yml'), 'on: push\n')
          },
          ...{ states: ['refused'], says: '.github/workflows/x.yml' },
        },
        {
          name: 'a link',
          outputs: [{ kind: 'pull_request', title: 'x', body: 'y' }],
          patch: (folder) => {
            rmSync(join(folder, 'src/a.txt'))
            symlinkSync('/etc/passwd', join(folder, 'src/a.txt'))
          },
          ...{ states: ['refused'], says: 'is a link' },
        },
        {
          name: 'a path that `allow` does not cover',
          outputs: [{ kind: 'patch', title: 'x' }],
          patch: (folder) => writeFileSync(join(folder, 'README.md'), 'x\n'),
          ...{ states: ['refused'], says: '"README.md" is not covered by an `allow`' },
        },
        {
          name: 'a path of a pull request that no Edit rule covers',
          outputs: [{ kind: 'pull_request', title: 'x', body: 'y' }],
          patch: (folder) => writeFileSync(join(folder, 'README.md'), 'x\n'),
          ...{ states: ['refused'], says: '"README.md" is not covered by an Edit rule' },
        },
        {
          name: 'a path that a rule denies, although `allow` covers it',
          outputs: [{ kind: 'patch', title: 'x' }],
          patch: (folder) => writeFileSync(join(folder, 'src/fixed.txt'), 'x\n'),
          ...{ states: ['refused'], says: 'deny Edit(src/fixed.txt)' },
        },
        {
          name: 'a copy of a file that it does not change',
          outputs: [{ kind: 'patch', title: 'x' }],
          patch: (folder) => copyFileSync(join(folder, 'policy.yml'), join(folder, 'src/p.txt')),
          ...{ diff: ['--find-copies-harder'], states: ['refused'], says: 'the patch copies a file' },
        },
        {
          name: 'what npm obeys',
          outputs: [{ kind: 'patch', title: 'x' }],
          patch: (folder) => writeFileSync(join(folder, 'src/.npmrc'), 'x\n'),
          ...{ states: ['refused'], says: '.npmrc' },
        },
        {
          name: 'a pull request without changes',
          outputs: [{ kind: 'pull_request', title: 'x', body: 'y' }],
          states: ['refused'],
          says: 'no patch',
        },
      ],
      2,
    ),
  )('refuses $name', async ({ states, says, ...given }) => {
    const { apply } = await prepare(given)
    const done = await apply()
    expect([done.code, done.states]).toEqual([3, states])
    expect(done.details).toContain(says)
  })

  it.each([
    {
      name: 'a line that is no output',
      text: '{"v":1,"output":{"kind":"comment","body":"x"}}\n{"v":1,"output":{"kind":"shell","body":"x"}}\n',
    },
    { name: 'an unknown field', text: '{"v":1,"output":{"kind":"comment","body":"x","author":"admin"}}\n' },
    { name: 'what follows the diff', text: `${diffLine('a'.repeat(40), '')}${outputLine(COMMENT)}` },
    { name: 'no JSON', text: 'hello\n' },
  ])('applies nothing of a file with $name', async ({ text }) => {
    const { apply, writes } = await prepare({ outputs: [], text })
    expect((await apply()).code).toBe(65)
    expect(writes()).toEqual([])
  })

  it('runs nothing that the repository configures, and applies modes, new files and removals', {
    tags: 'long',
  }, async () => {
    const { apply, folder } = await prepare({
      outputs: [{ kind: 'patch', title: 'x' }],
      patch: (place) => {
        rmSync(join(place, 'src/a.txt'))
        writeFileSync(join(place, 'src/run.sh'), 'true\n', { mode: 0o755 })
        writeFileSync(join(place, 'src/é.bin'), Buffer.from([0, 1, 255]))
      },
    })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
    const canary = join(makeFolder(), 'canary')
    for (const name of ['clean', 'smudge']) git('config', `filter.x.${name}`, `env > ${canary}; cat`)
    git('config', 'core.fsmonitor', `env > ${canary}`)
    writeFileSync(join(folder, '.gitattributes'), '* filter=x\n')
    expect((await apply()).states).toEqual(['applied'])
    expect(existsSync(canary)).toBe(false)
    expect(existsSync(join(folder, 'src/a.txt'))).toBe(false)
    expect(statSync(join(folder, 'src/run.sh')).mode & 0o111).not.toBe(0)
    expect([...readFileSync(join(folder, 'src/é.bin'))]).toEqual([0, 1, 255])
    expect((await apply()).states).toEqual(['already'])
  })

  it('comments on a line of the diff once, and reports a line outside it', async () => {
    const comment = (line: number): ProposedOutput => ({
      kind: 'review_comment',
      path: 'src/a.txt',
      line,
      body: 'Off by one.',
    })
    const { apply, writes } = await prepare({ outputs: [comment(3), comment(9)] })
    const first = await apply()
    expect([first.code, first.states]).toEqual([1, ['applied', 'failed']])
    expect(first.details).toContain('src/a.txt:9 is not in the diff of the pull request')
    expect(writes()[0]).toMatchObject({
      path: '/repos/octo/shop/pulls/7/comments',
      body: { path: 'src/a.txt', line: 3, side: 'RIGHT', commit_id: 'a'.repeat(40) },
    })
    expect((await apply()).states).toEqual(['already', 'failed'])
  })

  it('shows with --dry-run where each output would go, and its text', { tags: 'long' }, async () => {
    const { apply } = await prepare({
      outputs: [
        COMMENT,
        { kind: 'review_comment', path: 'src/a.txt', line: 3, body: 'Why?' },
        { kind: 'patch', title: 'x' },
      ],
      patch: changeSource,
      args: ['--dry-run'],
    })
    const { details } = await apply()
    expect(details).toContain('to the issue that triggered the run\n    Hello @everyone')
    expect(details).toContain('to src/a.txt:3 of the issue that triggered the run\n    Why?')
    expect(details).toContain('to the checkout\n    files: src/a.txt\n    x')
  })

  it('does nothing with --dry-run, and nothing without a token', { tags: 'long' }, async () => {
    const dry = await prepare({
      outputs: [COMMENT, { kind: 'patch', title: 'x' }],
      patch: changeSource,
      args: ['--dry-run'],
    })
    expect(await dry.apply()).toMatchObject({ code: 0, states: ['possible', 'possible'] })
    expect(dry.server.calls).toEqual([])
    expect(readFileSync(join(dry.folder, 'src/a.txt'), 'utf8')).toBe('old\n')
    const open = await prepare({ outputs: [COMMENT], token: '' })
    expect((await open.apply()).code).toBe(77)
    expect(existsSync(join(open.folder, 'src/a.txt'))).toBe(true)
  })
})
