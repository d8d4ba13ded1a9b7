import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAbsence } from '../../src/contracts/decision.ts'
import type { Reason } from '../../src/contracts/reason.ts'
import type { Call, Subject, Word } from '../../src/contracts/subject.ts'
import { anchorPolicy } from '../../src/policy/anchorPolicy.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { isRawBashAllowed } from '../../src/policy/isRawBashAllowed.ts'
import { isToolRemoved } from '../../src/policy/isToolRemoved.ts'
import { allowReading, protectPaths } from '../../src/policy/loadPolicy.ts'
import {
  bashCall,
  callOf,
  commandSubject,
  fetchCall,
  HOME,
  mcpCall,
  PROJECT,
  pathSubject,
  policyOf,
  type RuleLists,
  readCall,
  writeCall,
} from '../helpers/policyCalls.ts'

const OPAQUE: Subject = { kind: 'opaque', reason: { code: 'unseenCommands', program: 'eval' }, isUnseen: true }
/** What no scoped rule covers, though all its commands are seen. */
const CLOSED: Subject = { kind: 'opaque', reason: { code: 'variable', name: 'PATH' } }

async function behaviors(lists: RuleLists, calls: readonly Call[]): Promise<readonly string[]> {
  const policy = await policyOf(lists)
  return calls.map((call) => evaluate(policy, call).behavior)
}

describe('the order of a decision', () => {
  it('lets one denied subject stand against the call, and asks every subject for an allow', async () => {
    const lists = { allow: ['Bash(echo *)', 'Bash(git status)'], deny: ['Bash(curl *)'], ask: ['Bash(git push *)'] }
    const calls = [
      bashCall('echo a'),
      bashCall('echo a', 'git status'),
      bashCall('echo a', 'touch b'),
      bashCall('echo a', 'curl x'),
      bashCall('touch b', 'curl x', 'git push'),
      bashCall('echo a', 'git push'),
      bashCall('echo a', OPAQUE),
      bashCall('curl x', OPAQUE),
      bashCall('echo a', pathSubject('write', '/etc/out.txt', 'redirect')),
      bashCall('echo a', pathSubject('write', '/dev/null', 'redirect')),
    ]
    const expected = ['allow', 'allow', 'ask', 'deny', 'deny', 'ask', 'ask', 'deny', 'ask', 'allow']
    expect(await behaviors(lists, calls)).toEqual(expected)
  })

  it('needs no rule for a command that is free, and still denies it', async () => {
    const free: Subject = {
      kind: 'command',
      chain: [{ argv: [{ kind: 'literal', value: 'cd' }], cover: 'none' }],
      text: 'cd',
    }
    expect(await behaviors({}, [bashCall(free), bashCall(free, 'ls')])).toEqual(['allow', 'ask'])
    expect(await behaviors({ deny: ['Bash(cd *)'] }, [bashCall(free)])).toEqual(['deny'])
  })

  it('gives each decision its reason', async () => {
    const policy = await policyOf({ allow: ['Bash(echo *)'], deny: ['Bash(curl *)'], ask: ['Bash(git push *)'] })
    const reason = (call: Call) => evaluate(policy, call).reason
    const file = '/etc/kode/policy.yml'
    expect(reason(bashCall('echo a', 'curl x'))).toEqual({
      type: 'rule',
      rule: { text: 'Bash(curl *)', list: 'deny', file, line: 1 },
    })
    expect(reason(bashCall('git push', 'touch x'))).toMatchObject({ type: 'rule', rule: { list: 'ask' } })
    expect(reason(bashCall('echo a', OPAQUE))).toEqual({
      type: 'opaque',
      detail: 'what `eval` runs cannot be seen in the line',
      why: { code: 'unseenCommands', program: 'eval' },
    })
    expect(reason(bashCall('touch x')).type).toBe('headless')
    expect(isAbsence(evaluate(policy, bashCall('touch x')))).toBe(true)
    expect(isAbsence(evaluate(policy, bashCall('git push')))).toBe(false)
  })

  it('tells the model what was not allowed and what is, in short', async () => {
    const allow = Array.from({ length: 40 }, (_, index) => `Bash(tool${index} *)`)
    const policy = await policyOf({ allow: [...allow, 'Bash(npm test *)', 'Read(./**)'], deny: ['Bash(curl *)'] })
    const { message, parts } = evaluate(policy, bashCall('echo a', 'npm install'))
    expect(message).toContain('`echo a` is not allowed by the policy')
    expect(message.length).toBeLessThan(300)
    expect(parts.map(({ suggestion }) => suggestion)).toEqual(['Bash(echo a)', 'Bash(npm install)'])
    expect(evaluate(policy, bashCall('npm install')).message).toMatch(/Allowed of this kind: `Bash\(npm test \*\)`/)
    expect(evaluate(policy, bashCall('curl x')).message).toBe(
      'Bash: `curl x` is denied by the rule `Bash(curl *)` (/etc/kode/policy.yml:1). Do not look for another way to do the same.',
    )
    expect(evaluate(policy, writeCall('a')).message).toContain('Nothing of this kind is allowed')
    expect(evaluate(policy, bashCall('make x')).message).toContain('Nothing of this kind is allowed')
    expect(evaluate(policy, bashCall('npm test')).message).toBe('')
  })

  it.each<[Reason, string]>([
    [
      { code: 'variable', name: 'PATH' },
      'the variable PATH decides which programs run. Leave the assignment out, or have it set for every command by `env: { set: … }` of the policy.',
    ],
    [{ code: 'stated', text: 'it is no web address' }, 'it is no web address.'],
  ])('says what stands against it and what helps: %j', async (reason, sentence) => {
    const { message } = evaluate(await policyOf({}), bashCall({ kind: 'opaque', reason }))
    expect(message).toBe(`Bash was not run, because it cannot be judged beforehand: ${sentence}`)
  })

  it('reads outside the working directories by a rule only, and a file command writes by none', async () => {
    const read = (path: string) => bashCall('cat x', pathSubject('read', path, 'operand'))
    const calls = [read('src/a'), read('/usr/share/a'), read('/tmp/a'), read('/etc/hosts'), read('/home/other/a')]
    expect(await behaviors({ allow: ['Bash(cat *)'] }, calls)).toEqual(['allow', 'allow', 'allow', 'ask', 'ask'])
    expect(await behaviors({ allow: ['Bash(cat *)', 'Read(//etc/**)'] }, calls)).toEqual([
      ...['allow', 'allow', 'allow', 'allow', 'ask'],
    ])
    expect(await behaviors({ allow: ['Bash'] }, calls)).toEqual(['allow', 'allow', 'allow', 'allow', 'allow'])
    const written = bashCall('touch src/a', pathSubject('write', 'src/a', 'operand'))
    expect(await behaviors({ allow: ['Bash(touch *)'] }, [written])).toEqual(['allow'])
    expect(await behaviors({ allow: ['Bash(touch *)'], deny: ['Edit(src/**)'] }, [written])).toEqual(['deny'])
  })

  it('says nothing of the folders that the run opened for itself', async () => {
    const own = allowReading(await policyOf({ allow: ['Read(docs/**)'] }), '/state/run/blobs')
    expect(evaluate(own, readCall('/state/run/blobs/a')).behavior).toBe('allow')
    const { message } = evaluate(own, readCall('/elsewhere'))
    expect(message).toContain('Allowed of this kind: `Read(docs/**)`.')
  })

  it('suggests rules that allow the call', async () => {
    const calls = [
      bashCall('npm run build'),
      readCall('src/a.ts'),
      readCall('a.ts'),
      readCall('.'),
      readCall('~backup'),
      writeCall('.github/workflows/ci.yml'),
      readCall('/opt/a [1].ts'),
      writeCall('src/[id]/(x).ts'),
      fetchCall('https://Example.com/x'),
      fetchCall('http://127.0.0.1/x'),
      mcpCall('github', 'get_issue'),
      callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier: 'reviewer' }]),
      callOf('WebSearch', []),
    ]
    for (const call of calls) {
      const before = evaluate(await policyOf({}), call)
      const allow = before.parts.flatMap(({ suggestion }) => suggestion ?? [])
      expect([call.tool, allow.length, evaluate(await policyOf({ allow }), call).behavior]).toEqual([
        call.tool,
        1,
        'allow',
      ])
    }
  })

  it.each<[string, Call]>([
    ...[
      'rm -rf /',
      'rm -rf ~',
      'rm -rf ..',
      'mv a /usr/bin/b',
      'sudo ls',
      'sh',
      'bash -',
      'node -e 1',
      'dd of=x',
      'mkfs.ext4 x',
    ]
      .concat(['chmod 777 ../x', 'kill -9 1', 'crontab x', 'eval x', '/bin/rm -rf /usr'])
      .map((line): [string, Call] => [line, bashCall(line)]),
    ...['.git/config', '.git/hooks/pre-commit', '.env', '/etc/passwd', '~/.bashrc', '.git', 'a/id_rsa'].map(
      (path): [string, Call] => [`write ${path}`, writeCall(path.replace('~', '/home/user'))],
    ),
    ...[
      '.env',
      '.git/config',
      '/home/user/.ssh/id_rsa',
      'a.pem',
      '/runner/_temp/git-credentials-1f.config',
      '/proc/self/environ',
    ].map((path): [string, Call] => [`read ${path}`, readCall(path)]),
    ['metadata', fetchCall('http://169.254.169.254/latest')],
    ['a shell', callOf('PowerShell', [])],
  ])('suggests no rule for %s', async (_, call) => {
    const { behavior, parts } = evaluate(await policyOf({}), call)
    expect(behavior).not.toBe('allow')
    expect(parts.flatMap(({ suggestion }) => suggestion ?? [])).toEqual([])
  })

  it('names what is allowed of the same kind, and nothing else', async () => {
    const policy = await policyOf({
      allow: [
        ...['Bash(npm test)', 'Bash(git diff *)', 'Bash(git log:*)', 'Read(./docs/**)', 'Edit(src/**)'],
        ...['WebFetch(domain:a.example)', 'mcp__github__get_*', 'mcp__other__x', 'Agent(reviewer)'],
      ],
    })
    const allowed = (call: Call) => /Allowed of this kind: (.*)\.$/.exec(evaluate(policy, call).message)?.[1]
    expect([
      allowed(bashCall('git push')),
      allowed(bashCall('curl x')),
      allowed(bashCall(pathSubject('write', '/opt/out', 'redirect'))),
      allowed(bashCall(pathSubject('read', '/opt/x', 'redirect'))),
      allowed(writeCall('package.json')),
      allowed(fetchCall('https://b.example/')),
      allowed(mcpCall('github', 'delete')),
      allowed(mcpCall('third', 'get')),
      allowed(callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier: 'other' }])),
    ]).toEqual([
      '`Bash(git diff *)`, `Bash(git log:*)`',
      undefined,
      '`Edit(src/**)`',
      '`Read(./docs/**)`, `Edit(src/**)`',
      '`Edit(src/**)`',
      '`WebFetch(domain:a.example)`',
      '`mcp__github__get_*`',
      undefined,
      '`Agent(reviewer)`',
    ])
  })
})

describe('tools without effect outside the run', () => {
  it('are allowed by themselves, unless a deny or ask names them', async () => {
    const call = callOf('TodoWrite', [], { isFree: true })
    expect(await behaviors({}, [call])).toEqual(['allow'])
    expect(await behaviors({ deny: ['TodoWrite'] }, [call])).toEqual(['deny'])
    expect(await behaviors({ ask: ['TodoWriteTool'] }, [call])).toEqual(['ask'])
  })
})

describe('bare Bash', () => {
  const calls = [
    bashCall('anything at all'),
    bashCall(OPAQUE),
    bashCall(CLOSED),
    bashCall(pathSubject('write', 'x', 'redirect')),
  ]
  it('allows every line, unless a deny or ask may mean what runs in it', async () => {
    expect(await behaviors({ allow: ['Bash'] }, calls)).toEqual(['allow', 'allow', 'allow', 'allow'])
    expect(await behaviors({ allow: ['Bash(*)'] }, calls)).toEqual(['allow', 'allow', 'allow', 'allow'])
    for (const deny of ['Read(.env)', 'Edit(src/**)', 'WebFetch']) {
      expect(await behaviors({ allow: ['Bash'], deny: [deny] }, calls)).toEqual(['allow', 'allow', 'allow', 'allow'])
    }
    const judged = await behaviors({ allow: ['Bash'], deny: ['Bash(curl *)'] }, [...calls, bashCall('curl x')])
    expect(judged).toEqual(['allow', 'deny', 'allow', 'allow', 'deny'])
    expect(await behaviors({ allow: ['Bash'], ask: ['Bash(curl *)'] }, [bashCall(OPAQUE)])).toEqual(['ask'])
  })
  it.each<[string, boolean]>([
    ['git $x', true],
    ['git log $x', false],
    ['git "$x"', true],
    ['git "a$x"', false],
    ['wc -l $x', false],
    ['git -C "$x" push', true],
    ['$x push', true],
  ])('%s may mean Bash(git push *): %s', async (line, isMeant) => {
    const argv: Word[] = line.split(' ').map((text) => {
      if (text === '$x') return { kind: 'many' }
      const quoted = /^"(.*)\$x"$/.exec(text)
      return quoted
        ? { kind: 'dynamic', ...(quoted[1] ? { prefix: quoted[1] } : {}) }
        : { kind: 'literal', value: text }
    })
    const isUnseen = argv[0]?.kind === 'literal' ? {} : { isUnseen: true as const }
    const subject: Subject = { kind: 'command', chain: [{ argv, cover: 'wildcard', ...isUnseen }], text: line }
    const policy = await policyOf({ allow: ['Bash'], deny: ['Bash(git push *)'] })
    const { behavior, message } = evaluate(policy, bashCall(subject))
    expect(behavior).toBe(isMeant ? 'deny' : 'allow')
    if (isMeant) expect(message).toContain('`Bash(git push *)` (/etc/kode/policy.yml:1)')
  })
  it('writes by redirects in the checkout, in scratch folders and at home, and nowhere else', async () => {
    const write = (path: string) => bashCall('echo x', pathSubject('write', path, 'redirect'))
    const paths = ['src/a', '/tmp/a', `${HOME}/a`, '/etc/a', '/srv/other/a']
    expect(await behaviors({ allow: ['Bash'] }, paths.map(write))).toEqual([
      ...['allow', 'allow', 'allow', 'ask', 'ask'],
    ])
    expect(await behaviors({ allow: ['Bash(echo *)'] }, paths.map(write))).toEqual([
      ...['allow', 'allow', 'ask', 'ask', 'ask'],
    ])
    expect(await behaviors({ allow: ['Bash'], deny: ['Edit(src/**)'] }, paths.map(write))).toEqual([
      ...['deny', 'allow', 'allow', 'ask', 'ask'],
    ])
  })
  it.each([
    [{ allow: ['Bash'] }, true],
    [{ allow: ['Bash'], deny: ['Read(.env)', 'Bash(curl *)'] }, true],
    [{ allow: ['Bash(git *)'] }, false],
  ])('%o may run raw: %s', async (lists, isRaw) => {
    expect(isRawBashAllowed(await policyOf(lists))).toBe(isRaw)
  })
  it('still keeps off protected places that can be seen, and is removed by a bare deny', async () => {
    const call = bashCall('echo x', pathSubject('write', '.git/hooks/pre-commit', 'redirect'))
    expect(await behaviors({ allow: ['Bash'] }, [call])).toEqual(['ask'])
    expect(await behaviors({ allow: ['Bash'], deny: ['Bash'] }, calls)).toEqual(['deny', 'deny', 'deny', 'deny'])
  })
  it('does not speak for PowerShell', async () => {
    const call = callOf('PowerShell', [OPAQUE])
    expect(await behaviors({ allow: ['Bash'] }, [call])).toEqual(['ask'])
    expect(await behaviors({ allow: ['PowerShell'] }, [call])).toEqual(['allow'])
    expect(await behaviors({ allow: ['PowerShell'], deny: ['Bash(curl *)'] }, [call])).toEqual(['deny'])
  })
})

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

  it('opens where a rule names the place exactly, and only that place', async () => {
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

  it('never opens the kernel to a tool, nor the policy and the records to a writer', async () => {
    const lists = { allow: ['Read(//proc/cpuinfo)', 'Edit(//etc/kode/policy.yml)', 'Edit(//var/run-1/**)', 'Edit'] }
    const policy = await policyOf(lists, { untouchable: ['/var/run-1'] })
    for (const given of ['/proc/cpuinfo', '/sys/x', '/dev/mem']) {
      expect(evaluate(policy, readCall(given))).toMatchObject({ behavior: 'deny', reason: { type: 'protected' } })
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
    ['https://example.com/a', 'allow'],
    ['https://EXAMPLE.com./a', 'allow'],
    ['http://example.com:8080/', 'allow'],
    ['https://example.com.evil.org/', 'ask'],
    ['https://evilexample.com/', 'ask'],
    ['https://sub.example.com/', 'ask'],
    ['https://example.com@evil.org/', 'deny'],
    ['https://evil.org@example.com/', 'deny'],
    ['https://evil.org\\@example.com/', 'deny'],
    ['https://example.com\\.evil.org/', 'deny'],
    ['https://evil.org/#@example.com', 'ask'],
    ['https://evil.org/?@example.com', 'ask'],
    ['https://exam\tple.com/', 'deny'],
    ['https://example.com /', 'deny'],
    ['https://ex\u00adample.com/', 'deny'],
    ['ftp://example.com/', 'deny'],
    ['file:///etc/passwd', 'deny'],
    ['https:example.com', 'deny'],
    ['//example.com', 'deny'],
    ['https://example.com../', 'deny'],
    ['https://ехample.com/', 'ask'],
    ['https://ｅxample.com/', 'allow'],
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

  it('keeps addresses and inner names to rules that spell them', async () => {
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

describe('MCP tools', () => {
  it('are decided by server and tool, never by a text that looks alike', async () => {
    const allow = ['mcp__git', 'mcp__files__read_*', 'mcp__a__b__c', 'mcp__x__one']
    const rows = [
      [mcpCall('git', 'push'), 'allow'],
      [mcpCall('github', 'push'), 'ask'],
      [mcpCall('Git', 'push'), 'ask'],
      [mcpCall('files', 'read_file'), 'allow'],
      [mcpCall('files', 'write_read_file'), 'ask'],
      [mcpCall('files', 'READ_file'), 'ask'],
      [mcpCall('a', 'b__c'), 'allow'],
      [mcpCall('a__b', 'c'), 'ask'],
      [mcpCall('git__x', 'push'), 'ask'],
      [mcpCall('x', 'one'), 'allow'],
      [mcpCall('x', 'one_more'), 'ask'],
    ] as const
    expect(
      await behaviors(
        { allow },
        rows.map(([call]) => call),
      ),
    ).toEqual(rows.map(([, behavior]) => behavior))
  })

  it('are denied in every case, and by the whole name', async () => {
    const lists = {
      allow: ['mcp__s', 'mcp__my.srv', 'mcp__a_'],
      deny: ['mcp__*__delete_*', 'mcp__my_srv', 'mcp__a___b'],
    }
    const calls = [
      mcpCall('s', 'delete_all'),
      mcpCall('s', 'DELETE_all'),
      mcpCall('s', 'get'),
      mcpCall('my.srv', 'get'),
      mcpCall('a_', 'b'),
    ]
    expect(await behaviors(lists, calls)).toEqual(['deny', 'deny', 'allow', 'deny', 'deny'])
  })

  it('are decided by a parameter only against', async () => {
    const call = { ...mcpCall('db', 'query'), input: { sql: 'DROP TABLE x' } }
    expect(await behaviors({ allow: ['mcp__db'], deny: ['mcp__db__query(sql:drop *)'] }, [call])).toEqual(['deny'])
    expect(await behaviors({ allow: ['mcp__db'], deny: ['mcp__db(sql:drop *)'] }, [call])).toEqual(['deny'])
  })
})

describe('agents, skills and parameters', () => {
  const agent = (specifier: string, input = {}) =>
    callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier }], { input })
  it('are decided by name', async () => {
    const lists = { allow: ['Agent(review*)', 'Skill(deploy *)'], deny: ['Task(reviewer-x)', 'Agent(model:*opus*)'] }
    const calls = [
      agent('reviewer'),
      agent('Reviewer-X'),
      agent('coder'),
      agent('reviewer', { model: 'claude-opus-9' }),
      callOf('Skill', [{ kind: 'name', tool: 'Skill', specifier: 'deploy' }]),
    ]
    expect(await behaviors(lists, calls)).toEqual(['allow', 'deny', 'ask', 'deny', 'allow'])
  })
})

describe('a rule on a parameter', () => {
  it('looks at every entry of a list, and at the agent that is meant where none is named', async () => {
    const lists = { allow: ['Agent', 'mcp__t'], deny: ['Agent(subagent_type:general*)', 'mcp__t__y(id:prod*)'] }
    const y = (id: unknown) => ({ ...mcpCall('t', 'y'), input: { id } })
    const general = callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier: 'general-purpose' }])
    const calls = [general, y('prod-1'), y(['test', 'prod-1']), y([['Prod']]), y(['test'])]
    expect(await behaviors(lists, calls)).toEqual(['deny', 'deny', 'deny', 'deny', 'allow'])
  })
})

describe('the pool', () => {
  it.each([
    [{ name: 'Bash', aliases: ['BashTool'] }, 'Bash', true],
    [{ name: 'Bash', aliases: [] }, 'BashTool', true],
    [{ name: 'Bash', aliases: [] }, 'Bash(rm *)', false],
    [{ name: 'Grep', aliases: [] }, 'Read', true],
    [{ name: 'Read', aliases: [] }, 'Grep', false],
    [{ name: 'Write', aliases: [] }, 'Edit', true],
    [{ name: 'Edit', aliases: [] }, 'Write', false],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s', true],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s__*', true],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s2', false],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__*', true],
  ])('%o without %s: %s', async (tool, rule, isRemoved) => {
    expect(isToolRemoved(await policyOf({ deny: [rule] }), tool)).toBe(isRemoved)
    expect(isToolRemoved(await policyOf({ ask: [rule], allow: [] }), tool)).toBe(false)
  })
})

describe('working directories', () => {
  it('are what the preset reads, and move with the root', async () => {
    const policy = await policyOf({ presets: ['read-only'], additionalDirectories: ['/data [1]', '~/more'] })
    const of = (given: string) => evaluate(policy, readCall(given)).behavior
    expect([of('a/b'), of('.'), of('/data [1]/x'), of(`${HOME}/more/x`), of('/data 1/x'), of('/etc/x')]).toEqual([
      ...['allow', 'allow', 'allow', 'allow', 'ask', 'ask'],
    ])
    expect(evaluate(policy, readCall('a')).reason).toMatchObject({
      rule: { text: 'Read(./**)', file: 'preset:read-only', line: 0 },
    })
    const moved = anchorPolicy(policy, '/tree')
    expect(evaluate(moved, readCall('/tree/x')).behavior).toBe('allow')
    expect(evaluate(moved, readCall(`${PROJECT}/x`)).behavior).toBe('ask')
  })
})

describe('monotony', () => {
  const RULES = [
    ...['Bash', 'Read', 'Edit', 'Write', 'WebFetch', 'mcp__s', 'mcp__s__get_*', 'Bash(git *)', 'Bash(git push *)'],
    ...[
      'Bash(git status)',
      'Read(src/**)',
      'Edit(src/**)',
      'Edit(*.ts)',
      'Read(.env*)',
      'Edit(.git/hooks/x)',
      'Read(/src/)',
    ],
    ...['WebFetch(domain:*.a.org)', 'WebFetch(domain:b.a.org)', 'Bash(*push*)'],
  ]
  const CALLS = [
    ...[
      bashCall('git push'),
      bashCall('git status', OPAQUE),
      bashCall('ls'),
      readCall('src/a.ts'),
      writeCall('src/a.ts'),
    ],
    ...[
      readCall('.env'),
      writeCall('.git/hooks/x'),
      fetchCall('https://b.a.org/'),
      mcpCall('s', 'get_x'),
      mcpCall('s', 'x'),
    ],
    bashCall('git status', pathSubject('write', 'src/a.ts', 'redirect')),
    bashCall(commandSubject('git push'), pathSubject('read', '.env', 'operand')),
  ]
  const lists = fc.record({
    allow: fc.subarray(RULES),
    ask: fc.subarray(RULES, { maxLength: 3 }),
    deny: fc.subarray(RULES, { maxLength: 3 }),
  })

  it('never allows more for a deny or ask more, or an allow less', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(...RULES), async (some, rule) => {
        const before = await behaviors(some, CALLS)
        const stricter = await Promise.all([
          behaviors({ ...some, deny: [...some.deny, rule] }, CALLS),
          behaviors({ ...some, ask: [...some.ask, rule] }, CALLS),
          behaviors({ ...some, allow: some.allow.filter((other) => other !== rule) }, CALLS),
        ])
        for (const after of stricter) {
          for (const [index, behavior] of after.entries()) {
            if (behavior === 'allow') expect([some, rule, index, before[index]]).toEqual([some, rule, index, 'allow'])
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
