import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffLine, outputLine, type ProposedOutput } from '../../src/lib/proposedOutput.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { makeRepository } from '../helpers/github/actionRun.ts'
import { type GitHubAnswer, type GitHubCall, startGitHubServer } from '../helpers/github/githubServer.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'

const TOKEN = 'write-token-0123456789'
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
function createGitHub(): (call: GitHubCall) => GitHubAnswer {
  const made = new Map<string, object[]>()
  const labels = ['old']
  let refs = 0
  const list = (place: string) => made.get(place) ?? made.set(place, []).get(place) ?? []
  return ({ method, path, body }) => {
    const [place = ''] = path.replace('/repos/octo/shop', '').split('?')
    const isGet = method === 'GET'
    if (place === '') return { status: 200, body: { default_branch: 'main' } }
    if (/^\/pulls\/\d+$/.test(place)) return { status: 200, body: { head: { sha: 'a'.repeat(40) } } }
    if (!isGet && (body as { line?: number }).line === 9)
      return { status: 422, body: { message: 'line must be part of the diff' } }
    if (place.endsWith('/labels')) {
      if (!isGet) labels.push(...(body as { labels: string[] }).labels)
      return { status: 200, body: labels.map((name) => ({ name })) }
    }
    if (place.startsWith('/git/ref/')) return refs > 0 ? { status: 200, body: {} } : undefined
    if (place === '/git/refs') refs += 1
    if (place.startsWith('/git/')) return { status: 201, body: { sha: `sha-of-${place.slice(5)}` } }
    if (isGet) return { status: 200, body: list(place) }
    list(place).push({ ...(body as object), html_url: `https://github.com/made/${list(place).length + 1}` })
    return { status: 201, body: list(place).at(-1) }
  }
}

type Given = {
  readonly outputs?: readonly ProposedOutput[]
  readonly patch?: (folder: string) => void
  /** How git writes the patch, besides. */
  readonly diff?: readonly string[]
  /** What is in the file, instead of the outputs. */
  readonly text?: string
  readonly policy?: string
  readonly args?: readonly string[]
  readonly place?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Another file than that of the outputs. */
  readonly file?: string
  /** What stands in the changed file when it is applied. */
  readonly later?: string
  /** How often it is applied. */
  readonly times?: number
  readonly answer?: (call: GitHubCall) => GitHubAnswer
}

/** A clone, a file of outputs, and `kode-run apply` on it, as often as it is called. */
async function prepare({ outputs = [], patch, diff: words = [], text, policy = POLICY, args = [], ...given }: Given) {
  const { place = [...SHOP, '--target', '7'], env = {}, answer = createGitHub() } = given
  const { folder, commits, git } = makeRepository({ 'src/a.txt': 'old\n', 'policy.yml': policy })
  const server = await startGitHubServer(answer)
  const file = join(makeFolder(), 'outputs.jsonl')
  let diff = ''
  if (patch !== undefined) {
    patch(folder)
    git('add', '-A')
    const options = { cwd: folder, encoding: 'utf8' } as const
    diff = diffLine(commits[0] ?? '', execFileSync('git', ['diff', '--cached', '--binary', ...words], options))
    git('reset', '-q', '--hard')
  }
  writeFileSync(file, text ?? outputs.map(outputLine).join('') + diff)
  if (given.later !== undefined) writeFileSync(join(folder, 'src/a.txt'), given.later)
  const argv = ['apply', given.file ?? file, '--policy', 'policy.yml', ...place, ...args]
  const usual = { GITHUB_API_URL: server.url, GITHUB_TOKEN: TOKEN }
  const apply = () => kodeRun(argv, { cwd: folder, env: { ...usual, ...env } })
  const writes = () => server.calls.filter(({ method }) => method !== 'GET')
  return { apply, writes, folder, file, server }
}

const COMMENT: ProposedOutput = {
  kind: 'comment',
  body: 'Hello @everyone, fixes #1 <img src="//evil.example/x"> ![x](//evil.example)',
}
const PULL: ProposedOutput = { kind: 'pull_request', title: 'Fix', body: 'Why.\n' }
const PATCH: ProposedOutput = { kind: 'patch', title: 'Fix' }
const REVIEW: ProposedOutput = { kind: 'review_comment', path: 'src/a.txt', line: 3, body: 'Off by one.' }
const EACH: readonly ProposedOutput[] = [
  COMMENT,
  REVIEW,
  { kind: 'label', labels: ['bug'] },
  { kind: 'issue', title: 'Follow up', body: 'Later.' },
  PULL,
  PATCH,
]
const changeSource = (folder: string) => writeFileSync(join(folder, 'src/a.txt'), 'new\n')
const changeTwo = (folder: string) => {
  changeSource(folder)
  writing('src/b.txt')(folder)
}
const writing = (path: string) => (folder: string) => writeFiles(folder, { [path]: 'x\n' })
const putLink = (path: string) => {
  rmSync(path)
  symlinkSync('/etc/passwd', path)
}
const copyPolicy = (folder: string) => copyFileSync(join(folder, 'policy.yml'), join(folder, 'src/p.txt'))
/** Two full pages without the mark, and an empty one. */
const manyPages = ({ path, method }: GitHubCall) => ({
  status: 200,
  body: method === 'POST' || path.endsWith('&page=3') ? [] : Array(100).fill({ body: 'x' }),
})
const always = (status: number, body: unknown) => () => ({ status, body })

const SHOP = ['--repo', 'octo/shop']
const ofLabels = (labels: string[], allowed: string): Given => ({
  outputs: [{ kind: 'label', labels }],
  policy: POLICY.replace('[bug]', allowed),
})
const toNine = EACH.slice(0, 3).map((output) => ({ ...output, number: 9 }) as ProposedOutput)
const anyTarget = POLICY.replace('{ max: 1, allow: [bug]', '{ max: 1, target: "*", allow: [bug]')
const all: Given = { outputs: EACH, patch: changeSource }
const comment: Given = { outputs: [COMMENT] }
const patchOf = (patch: Given['patch'], output: ProposedOutput = PATCH): Given => ({
  outputs: [output],
  ...(patch && { patch }),
})

/** Rows with what is proposed, changed and answered; what is said of each, and what GitHub gets, is in a file. */
const ROWS: readonly (readonly [name: string, code: number, given: Given])[] = [
  // Each kind, without a run on GitHub and with it.
  ['nothing', 0, { outputs: [] }],
  ['each kind, tried out', 0, { ...all, args: ['--dry-run'] }],
  ['a patch of two files, tried out', 0, { ...patchOf(changeTwo), args: ['--dry-run'] }],
  ['each kind', 0, { ...all, times: 2 }],
  ['each kind, as JSON', 0, { ...all, args: ['--json'] }],
  [
    'for a number of its own',
    0,
    { outputs: toNine, policy: anyTarget.replaceAll('{ max: 2 }', '{ max: 2, target: "*" }') },
  ],
  [
    'from a folder of the repository',
    0,
    { ...patchOf(changeSource), args: ['--cwd', 'src'], policy: POLICY.replaceAll('src/*', '*') },
  ],
  ['labels, some of which are there', 0, ofLabels(['old', 'bug'], '[bug, old]')],
  ['labels that are there', 0, ofLabels(['old'], '[old]')],
  // What the policy refuses.
  ['more than `max`', 3, { outputs: [1, 2, 3].map((n) => ({ kind: 'comment', body: `${n}` })) }],
  ['a label that no rule names', 3, ofLabels(['admin'], '[bug]')],
  ['another target', 3, { outputs: [{ kind: 'comment', body: 'x', number: 8 }] }],
  ['a workflow', 3, patchOf(writing('.github/workflows/x.yml'), PULL)],
  ['a link', 3, patchOf((folder) => putLink(join(folder, 'src/a.txt')), PULL)],
  ['a path that `allow` does not cover', 3, patchOf(writing('README.md'))],
  ['a path of a pull request that no Edit rule covers', 3, patchOf(writing('README.md'), PULL)],
  ['a path that a rule denies, although `allow` covers it', 3, patchOf(writing('src/fixed.txt'))],
  ['a copy of a file that it does not change', 3, { ...patchOf(copyPolicy), diff: ['--find-copies-harder'] }],
  ['what npm obeys', 3, patchOf(writing('src/.npmrc'))],
  ['a pull request without changes', 3, patchOf(undefined, PULL)],
  ['a policy without outputs', 3, { ...all, policy: 'version: 1\n' }],
  // What does not work.
  ['a line outside the diff', 1, { outputs: [{ ...REVIEW, line: 9 }] }],
  ['a checkout that has changed since', 1, { ...patchOf(changeSource), later: 'other\n' }],
  ['no issue', 1, { ...comment, place: SHOP }],
  ['GitHub refuses', 1, { ...all, answer: always(403, { message: 'Resource not accessible by integration' }) }],
  ['GitHub is broken', 1, { ...comment, answer: always(502, '<html>') }],
  ['GitHub says little', 1, { ...all, answer: always(200, {}) }],
  ['many comments are there', 0, { ...comment, answer: manyPages }],
  // What is missing or wrong.
  ['a file that is not there', 65, { file: 'gone.jsonl' }],
  ['a line that is no output', 65, { text: `${outputLine(PATCH)}{"v":1,"output":{"kind":"shell","body":"x"}}\n` }],
  ['an unknown field', 65, { text: '{"v":1,"output":{"kind":"comment","body":"x","author":"admin"}}\n' }],
  ['what follows the diff', 65, { text: `${diffLine('a'.repeat(40), '')}${outputLine(COMMENT)}` }],
  ['no JSON', 65, { text: 'hello\n' }],
  ['no token', 77, { ...comment, env: { GITHUB_TOKEN: '' } }],
  ['another token', 0, { ...comment, env: { GITHUB_TOKEN: '', GH_TOKEN: TOKEN } }],
  ['no repository', 2, { ...comment, place: [] }],
  ['a repository that is none', 2, { ...comment, place: ['--repo', 'shop'] }],
  ['what GitHub sets', 0, { ...comment, env: { GITHUB_REPOSITORY: 'octo/shop' }, place: ['--target', '7'] }],
]

/** Commits by their order in a row: two repositories of the same second have the same ones. */
function withNumbers(): (line: string) => string {
  let commits: string[] = []
  return (line) => {
    if (line.startsWith('== ')) commits = []
    return line.replace(/\b[0-9a-f]{40}\b/g, (commit) => {
      if (!commits.includes(commit)) commits.push(commit)
      return `COMMIT-${commits.indexOf(commit) + 1}`
    })
  }
}

describe('kode-run apply', () => {
  // Read it as somebody whose outputs are applied: `npx vitest run test/commands/apply.test.ts -u` writes it.
  const long = { tags: 'long', timeout: 300_000 }
  it('says of each output what became of it, and GitHub gets just that, once', long, async () => {
    const told: string[] = []
    for (const [name, code, given] of ROWS) {
      const { apply, writes, folder, file, server } = await prepare(given)
      const shown = (text: string) =>
        text.replaceAll(folder, 'REPO').replaceAll(file, 'OUTPUTS').replaceAll(server.url, 'API')
      for (let time = 1; time <= (given.times ?? 1); time++) {
        const { code: ended, stdout, stderr } = await apply()
        told.push(`== ${name}${time === 1 ? '' : ', again'}: ${ended}`, shown(stdout + stderr).trimEnd())
        expect([name, ended]).toEqual([name, code])
      }
      if (given.args?.includes('--dry-run') || code > 3) {
        expect([name, server.calls]).toEqual([name, []])
        expect(readFileSync(join(folder, 'src/a.txt'), 'utf8')).toBe('old\n')
      }
      expect(server.calls.every(({ token }) => token === TOKEN)).toBe(true)
      const sent = writes().map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`)
      const text = readFileSync(join(folder, 'src/a.txt'), 'utf8')
      told.push(...sent, ...(text === 'old\n' ? [] : [`now in src/a.txt: ${text.trimEnd()}`]), '')
    }
    await expect(told.map(withNumbers()).join('\n')).toMatchFileSnapshot('golden/apply.txt')
  })

  it('removes mentions, references, pictures and HTML that the agent wrote', async () => {
    const { apply, writes } = await prepare({ outputs: [COMMENT] })
    await apply()
    const text = JSON.stringify(writes())
    expect(text).toContain('Hello')
    expect(text).not.toMatch(/<img|!\[x\]\(|@everyone|fixes #1/)
  })

  it('runs nothing that the repository configures, and applies modes, new files and removals', long, async () => {
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
    expect((await apply()).stdout).toMatch(/^│? ?applied/)
    expect(existsSync(canary)).toBe(false)
    expect(existsSync(join(folder, 'src/a.txt'))).toBe(false)
    expect(statSync(join(folder, 'src/run.sh')).mode & 0o111).not.toBe(0)
    expect([...readFileSync(join(folder, 'src/é.bin'))]).toEqual([0, 1, 255])
    expect((await apply()).stdout).toMatch(/^│? ?already/)
  })
})

it('asks for the policy, without which nothing may be applied', async () => {
  const cwd = makeFolder()
  writeFileSync(join(cwd, 'outputs.jsonl'), outputLine(COMMENT))
  const { code, stdout, stderr } = await kodeRun(['apply', 'outputs.jsonl', '--dry-run'], { cwd })
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('name the policy whose `outputs:` hold')])
})
