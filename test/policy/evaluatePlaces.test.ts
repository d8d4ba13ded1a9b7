import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/contracts/subject.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { protectPaths } from '../../src/policy/load/loadPolicy.ts'
import {
  bashCall,
  fetchCall,
  HOME,
  pathSubject,
  policyOf,
  type RuleLists,
  readCall,
  writeCall,
} from '../helpers/policy/policyCalls.ts'

async function behaviors(lists: RuleLists, calls: readonly Call[]): Promise<readonly string[]> {
  const policy = await policyOf(lists)
  return calls.map((call) => evaluate(policy, call).behavior)
}

describe('protected places', () => {
  const everything = ['Edit(./**)', 'Edit(//**)', 'Edit(~/**)', 'Edit', 'Read']
  it.each([
    '.git',
    '.git/hooks/pre-commit',
    '.git/config',
    '.git/modules/sub/config',
    '.git/info/attributes',
    '.git/HEAD',
    '.git/MERGE_MSG',
    '.git/rebase-merge/git-rebase-todo',
    'vendor/lib/.git/index.lock',
    'vendor/lib/.git/hooks/x',
    '.GIT/Hooks/pre-commit',
    '.g\u200cit/config',
    '.github/workflows/ci.yml',
    '.github/actions/a/action.yml',
    '.kode/x',
    '.claude/settings.json',
    '.husky/pre-push',
    '.vscode/tasks.json',
    '.mcp.json',
    'pkg/.npmrc',
    ...['.devcontainer/devcontainer.json', '.cursor/rules/a.mdc', '.cursorrules', '.codex/config.toml', '.gemini/x'],
    ...['.circleci/config.yml', '.gitlab-ci.yml', '.forgejo/workflows/x.yml', '.yarnrc.yml', '.cargo/config.toml'],
    ...['.pre-commit-config.yaml', '.envrc', `${HOME}/.gitconfig`, 'docs/rust-toolchain.toml', 'rust-toolchain'],
    ...['mise.toml', 'pkg/.mise.local.toml', '.tool-versions'],
    '.gitmodules',
    '.gitattributes',
    `${HOME}/.bashrc`,
    `${HOME}/.config/fish/config.fish`,
    `${HOME}/.ssh/authorized_keys`,
  ])('%s is not written without its name', async (given) => {
    const decision = evaluate(await policyOf({ allow: everything }), writeCall(given))
    expect(decision).toMatchObject({ behavior: 'ask', reason: { type: 'protected' } })
  })

  it.each([
    '.env',
    'pkg/.ENV',
    '.env.local',
    '.env.example.local',
    'certs/server.pem',
    'certs/server.key',
    'config/master.key',
    'a.ppk',
    'conf/credentials.json',
    'service-account.json',
    ...['.vault-token', 'web/.htpasswd', '.dev.vars'],
    'id_rsa',
    'keys/id_ed25519.old',
    `${HOME}/.ssh/config`,
    `${HOME}/.aws/credentials`,
    `${HOME}/.config/gh/hosts.yml`,
    `${HOME}/.netrc`,
    `${HOME}/.npmrc`,
    ...['.git-credentials', '.docker/config.json', '.kube/config', '.config/gcloud/x.db', '.gnupg/x', '.pgpass'].map(
      (name) => `${HOME}/${name}`,
    ),
    ...['.bash_history', '.cargo/credentials.toml', '.m2/settings.xml', '.claude/.credentials.json', '.pypirc'].map(
      (name) => `${HOME}/${name}`,
    ),
    ...['/run/secrets/x', '/var/run/secrets/kubernetes.io/serviceaccount/token', '/etc/shadow', 'a.p12', '.envrc'],
    '.git/config',
  ])('%s is not read without its name', async (given) => {
    const decision = evaluate(await policyOf({ allow: everything }), readCall(given))
    expect(decision).toMatchObject({ behavior: 'ask', reason: { type: 'protected' } })
  })

  it.each([
    '.env.example',
    '.env.sample',
    '.env.prod.template',
    'src/id_map.ts',
    '.npmrc',
    '.git/HEAD',
    'environment',
    '.github/CODEOWNERS',
    ...['.cursor/rules/a.mdc', '.gitlab-ci.yml', '.docker/Dockerfile', '/etc/hosts', '/run/x', 'src/history.ts'],
  ])('%s is an ordinary file to read', async (given) => {
    expect(await behaviors({ allow: everything }, [readCall(given)])).toEqual(['allow'])
  })

  it.each(['.github/CODEOWNERS', '.gitignore', 'git/hooks/x', '.env', '.cursorignore', '.cargo/x', '.gitea/x'])(
    '%s is an ordinary file to write',
    async (given) => {
      expect(await behaviors({ allow: everything }, [writeCall(given)])).toEqual(['allow'])
    },
  )

  it('opens only for a rule that names exactly that place', async () => {
    const open = async (rule: string, given: string) =>
      (await behaviors({ allow: [rule] }, [rule.startsWith('Edit') ? writeCall(given) : readCall(given)]))[0]
    expect(await open('Edit(.github/workflows/**)', '.github/workflows/ci.yml')).toBe('allow')
    expect(await open('Edit(.github/workflows/ci.yml)', '.github/workflows/ci.yml')).toBe('allow')
    expect(await open('Edit(.github/**)', '.github/workflows/ci.yml')).toBe('ask')
    expect(await open('Edit(.git/**)', '.git/hooks/x')).toBe('ask')
    expect(await open('Edit(.kode/**)', '.kode/x/.git/hooks/y')).toBe('ask')
    expect(await open('Read(.env)', '.env')).toBe('allow')
    expect(await open('Read(.env*)', '.env.local')).toBe('allow')
    expect(await open('Read(~/.ssh/known_hosts)', `${HOME}/.ssh/known_hosts`)).toBe('allow')
    expect(await open('Read(**/*.pem)', 'a.pem')).toBe('ask')
    expect(await open('Read(certs/ca.pem)', 'certs/ca.pem')).toBe('allow')
    expect(await open('Read(//runner/**)', '/runner/_temp/git-credentials-1f.config')).toBe('ask')
    expect(await open('Read(//runner/**)', '/runner/_temp/other.config')).toBe('allow')
  })

  it.each([
    ['.github/workflows/ci.yml', writeCall],
    ['.npmrc', writeCall],
    ['.git/hooks/pre-commit', writeCall],
    ['.env', readCall],
    [`${HOME}/.ssh/known_hosts`, readCall],
  ])('says which rule opens %s, and that one does', async (path, callOf) => {
    const { message } = evaluate(await policyOf({ allow: everything }), callOf(path))
    const [, rule = ''] = /Only a rule that names it exactly allows it: `(.+)`\.$/.exec(message) ?? []
    expect(await behaviors({ allow: [rule] }, [callOf(path)])).toEqual(['allow'])
  })

  it('never opens the kernel to a tool, nor the policy and the records to a writer', async () => {
    const lists = { allow: ['Read(//proc/cpuinfo)', 'Edit(//etc/kode/policy.yml)', 'Edit(//var/run-1/**)', 'Edit'] }
    const policy = await policyOf(lists, { untouchable: ['/var/run-1'] })
    for (const given of ['/proc/cpuinfo', '/sys/x', '/dev/mem']) {
      const decision = evaluate(policy, readCall(given))
      expect(decision).toMatchObject({ behavior: 'deny', reason: { type: 'protected' } })
      expect(decision.message).toMatch(/is not allowed: no tool opens files of \/proc, \/sys and \/dev\.$/)
    }
    expect(evaluate(policy, bashCall(pathSubject('read', '/proc/cpuinfo', 'operand'))).behavior).toBe('allow')
    for (const given of ['/etc/kode/policy.yml', '/etc/kode/POLICY.yml', '/var/run-1/transcript.jsonl', '/var/run-1']) {
      expect(evaluate(policy, writeCall(given)).behavior).toBe('deny')
    }
    expect(evaluate(policy, writeCall('/var/run-12/x')).behavior).toBe('allow')
    expect(evaluate(policy, writeCall('/opt/late')).behavior).toBe('allow')
    expect(evaluate(protectPaths(policy, ['/opt/late']), writeCall('/opt/late')).behavior).toBe('deny')
  })
})

describe('hosts', () => {
  const allow = ['WebFetch(domain:example.com)', 'WebFetch(domain:*.trusted.dev)', 'WebFetch(domain:api-*.corp.io)']
  it.each([
    // The host itself: letters, a dot at the end and the port do not count.
    ['https://example.com/a', 'allow'],
    ['https://EXAMPLE.com./a', 'allow'],
    ['http://example.com:8080/', 'allow'],
    ['https://ｅxample.com/', 'allow'],
    // Another host that looks like it.
    ['https://example.com.evil.org/', 'ask'],
    ['https://evilexample.com/', 'ask'],
    ['https://sub.example.com/', 'ask'],
    ['https://example.com@evil.org/', 'deny'],
    ['https://evil.org@example.com/', 'deny'],
    ['https://evil.org\\@example.com/', 'deny'],
    ['https://example.com\\.evil.org/', 'deny'],
    ['https://evil.org/#@example.com', 'ask'],
    ['https://evil.org/?@example.com', 'ask'],
    ['https://ехample.com/', 'ask'],
    // What is not a plain http address of a host.
    ['https://exam\tple.com/', 'deny'],
    ['https://example.com /', 'deny'],
    ['https://ex\u00adample.com/', 'deny'],
    ['ftp://example.com/', 'deny'],
    ['file:///etc/passwd', 'deny'],
    ['https:example.com', 'deny'],
    ['//example.com', 'deny'],
    ['https://example.com../', 'deny'],
    // Wildcards: any labels before the name, the rest of a label, and nothing beyond.
    ['https://a.trusted.dev/', 'allow'],
    ['https://a.b.trusted.dev/', 'allow'],
    ['https://trusted.dev/', 'ask'],
    ['https://xtrusted.dev/', 'ask'],
    ['https://api-1.corp.io/', 'allow'],
    ['https://api-1.x.corp.io/', 'ask'],
    [`https://${'a'.repeat(9000)}.trusted.dev/`, 'deny'],
  ])('%s: %s', async (url, behavior) => {
    expect(await behaviors({ allow }, [fetchCall(url)])).toEqual([behavior])
  })

  it('requires rules that name internal addresses and hosts in full', async () => {
    const inner = [
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://[::1]/',
      'http://localhost/',
      'http://a.localhost/',
      'http://db/',
    ]
    const calls = inner.map(fetchCall)
    expect(new Set(await behaviors({ allow: ['WebFetch', 'WebFetch(domain:*)'] }, calls))).toEqual(new Set(['ask']))
    const named = {
      allow: [
        'WebFetch(domain:127.0.0.1)',
        'WebFetch(domain:[::1])',
        'WebFetch(domain:localhost)',
        'WebFetch(domain:db)',
      ],
    }
    expect(await behaviors(named, calls)).toEqual(['allow', 'allow', 'allow', 'allow', 'ask', 'allow'])
    expect(await behaviors({ allow: ['WebFetch'] }, [fetchCall('https://any.org/')])).toEqual(['allow'])
  })

  it('denies in every spelling', async () => {
    const lists = {
      allow: ['WebFetch'],
      deny: ['WebFetch(domain:*.internal)', 'WebFetch(domain:127.0.0.1)', 'WebFetch(domain:bücher.example)'],
    }
    const calls = [
      'http://a.INTERNAL./',
      'http://0x7f.1/',
      'http://[::ffff:127.0.0.1]/',
      'http://xn--bcher-kva.example/',
      'http://internal/',
      'http://ok.org/',
    ]
    expect(await behaviors(lists, calls.map(fetchCall))).toEqual(['deny', 'deny', 'deny', 'deny', 'ask', 'allow'])
    expect(
      await behaviors({ allow: ['WebFetch'], deny: ['WebFetch(domain:*)'] }, [fetchCall('http://ok.org/')]),
    ).toEqual(['deny'])
  })
})
