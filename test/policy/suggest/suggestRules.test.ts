import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../../src/contracts/subject.ts'
import { evaluate } from '../../../src/policy/evaluate.ts'
import type { Policy } from '../../../src/policy/Policy.ts'
import { type NamedCall, suggestRules, withAllowed } from '../../../src/policy/suggest/suggestRules.ts'
import { type MadeCall, toNamedCall } from '../../../src/query/runTools/toNamedCall.ts'
import { HARMFUL_CALLS } from '../../helpers/harmfulCalls.ts'
import {
  bashCall,
  callOf,
  fetchCall,
  mcpCall,
  policyOf,
  readCall,
  writeCall,
} from '../../helpers/policy/policyCalls.ts'
import { times } from '../../helpers/sampled.ts'

function read(policy: Policy, made: MadeCall): NamedCall {
  const found = toNamedCall(policy, made)
  if ('problem' in found) throw new Error(found.problem)
  return { name: JSON.stringify(made), call: found.call }
}

const line = (policy: Policy, command: string) => read(policy, { tool: 'Bash', input: { command } })

describe('a suggestion for one call', () => {
  it('is one rule, and adding it allows the call', async () => {
    const calls = [
      ...[bashCall('npm run build'), writeCall('src/[id]/(x).ts'), mcpCall('github', 'get_issue')],
      ...['src/a.ts', 'a.ts', '.', '~backup', '/opt/a [1].ts'].map((path) => readCall(path)),
      ...['https://Example.com/x', 'http://127.0.0.1/x'].map(fetchCall),
      callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier: 'reviewer' }]),
      callOf('WebSearch', []),
    ]
    const policy = await policyOf({})
    for (const call of calls) {
      const { rules, refused } = suggestRules(policy, [{ name: 'it', call }])
      const after = withAllowed(policy, rules)
      expect([call.tool, rules.length, refused, evaluate(after, call).behavior]).toEqual([call.tool, 1, [], 'allow'])
    }
  })

  it.each<[string, Call]>([
    ...['rm -rf /', 'rm -rf ~', 'rm -rf ..', 'mv a /usr/bin/b', 'sudo ls', 'sh', 'bash -', 'node -e 1', 'dd of=x']
      .concat(['mkfs.ext4 x', 'chmod 777 ../x', 'kill -9 1', 'crontab x', 'eval x', '/bin/rm -rf /usr'])
      .map((words): [string, Call] => [words, bashCall(words)]),
    ...['.git/config', '.git/hooks/pre-commit', '.env', '/etc/passwd', '~/.bashrc', '.git', 'a/id_rsa']
      .concat(['.github/workflows/ci.yml', '.npmrc'])
      .map((path): [string, Call] => [`write ${path}`, writeCall(path.replace('~', '/home/user'))]),
    ...['.env', '.git/config', '/home/user/.ssh/id_rsa', 'a.pem', '/proc/self/environ'].map((path): [string, Call] => [
      `read ${path}`,
      readCall(path),
    ]),
    ['metadata', fetchCall('http://169.254.169.254/latest')],
    ['a shell', callOf('PowerShell', [])],
  ])('is not made for %s, and the reason is', async (_, call) => {
    const { rules, refused } = suggestRules(await policyOf({}), [{ name: 'it', call }])
    expect(rules).toEqual([])
    expect(refused.map(({ why }) => why.length > 5)).toEqual([true])
  })

  it('is not made of a mark that stands for a secret', async () => {
    const policy = await policyOf({})
    const { rules, refused } = suggestRules(policy, [line(policy, 'deploy --token "[REDACTED:TOKEN]"')])
    expect([rules, refused[0]?.why]).toEqual([[], 'it holds a secret, which a record does not show'])
  })

  it('is not made for a line that needs more rules than anybody reads', async () => {
    const policy = await policyOf({})
    const given = (count: number) =>
      suggestRules(policy, [line(policy, Array.from({ length: count }, (_, at) => `make${at} x`).join('; '))])
    expect(given(30).rules).toHaveLength(30)
    expect(given(31)).toMatchObject({ rules: [], refused: [{ why: 'it needs more than 30 new rules; split it' }] })
  })
})

const USUAL: readonly MadeCall[] = `
git status; git diff --stat; git diff -w src/a.c; git log --oneline; git log -3; git add .; git add -A
git commit -m "a b"; git commit -m c; git push origin HEAD; git push -u origin x; git checkout -b y
npm test; npm test -- a.js; npm test -- b.js; npm run build; npm run lint; npm ci; npm install; npx tsc --noEmit
npx vitest run a.ts; npx vitest run b.ts; node a.js; node --test a.js; node --test b.js
python3 -m pytest -q; python3 -m pytest a.py; python3 a.py; pip install -e .; pip install -r r.txt
cargo test; cargo test --lib; cargo build --release; cargo fmt; cargo clippy; go test ./...; go vet
make; make all; make -j4; cc -o a a.c; cc -Wall b.c; ./a.out; ./a.out --x; bash build.sh; sh t.sh; time make x
ls -la; ls src/; cat a.txt; cat src/b.txt; head -5 a.c; sed -n 1,5p a.c; find . -name a.c; find src -type f
rm -rf dist/; rm a.o; cp a.c b.c; mkdir -p build/x; chmod +x a.sh; touch a.c; echo x > out.txt
curl -s https://a.example/x; curl -I https://a.example/y; gh pr view 1; gh pr list --json x; docker ps -a
cd src && npm test; FOO=1 npm test; grep -rn x . | head -3`
  .trim()
  .split(/; |\n/)
  .concat('for f in a b; do cat $f; done')
  .map((command): MadeCall => ({ tool: 'Bash', input: { command } }))
  .concat(
    ['src/a.ts', 'src/b/c.ts', 'docs/x.md', 'README.md', '.github/dependabot.yml'].map((path) => ({
      tool: 'Write',
      input: { file_path: path, content: '' },
    })),
    ['src/a.ts', 'package.json', '/usr/share/doc/x', '/etc/hosts'].map((path) => ({
      tool: 'Read',
      input: { file_path: path },
    })),
    ['https://a.example/', 'https://b.example/x'].map((url) => ({ tool: 'WebFetch', input: { url } })),
    ['get_issue', 'get_file', 'list_issues'].map((name) => ({ tool: `mcp__github__${name}`, input: {} })),
  )

describe('what is suggested', () => {
  it('allows the intended calls, and none of forty harmful ones', async () => {
    expect(HARMFUL_CALLS.length).toBe(40)
    const policies = [
      await policyOf({}),
      await policyOf({ presets: ['read-only'], allow: ['Bash(npm test)', 'Edit(src/**)'] }),
    ]
    const harmful = HARMFUL_CALLS.map((made) => read(policies[0] as Policy, made))
    for (const policy of policies) {
      for (const { name, call } of harmful) expect([name, evaluate(policy, call).behavior]).not.toContain('allow')
    }
    fc.assert(
      fc.property(fc.constantFrom(...policies), fc.subarray([...USUAL], { minLength: 1 }), (policy, chosen) => {
        const calls = chosen.map((made) => read(policy, made))
        const { rules, refused } = suggestRules(policy, calls)
        const after = withAllowed(policy, rules)
        const closed = new Set(refused.map(({ call }) => call))
        const denied = calls.filter(({ name, call }) => !closed.has(name) && evaluate(after, call).behavior !== 'allow')
        const opened = harmful.filter(({ call }) => evaluate(after, call).behavior === 'allow')
        expect([...denied, ...opened].map(({ name }) => name)).toEqual([])
      }),
      { numRuns: times(60, 12) },
    )
  })

  it('suggests a rule for nearly all usual calls', async () => {
    const policy = await policyOf({})
    const { refused } = suggestRules(
      policy,
      USUAL.map((made) => read(policy, made)),
    )
    expect(refused.map(({ call }) => call)).toEqual([])
  })
})
