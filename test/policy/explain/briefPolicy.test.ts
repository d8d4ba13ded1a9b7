import { describe, expect, it } from 'vitest'
import { briefPolicy } from '../../../src/policy/explain/briefPolicy.ts'
import { allowReading, loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { mayAllow } from '../../../src/run/start/isOffered.ts'
import { HOME, PROJECT, policyOf } from '../../helpers/policy/policyCalls.ts'

const FACTS = { network: 'none', mayEditAll: false }

async function load(policy: object) {
  const text = JSON.stringify({ version: 1, ...policy })
  return loadPolicy({ file: '/etc/kode/policy.yml', cwd: PROJECT, home: HOME, read: async () => text })
}

/** At least as many as a model counts: words in pieces of four letters, every other character by itself. */
function tokensOf(text: string): number {
  return (text.match(/[A-Za-z]{1,4}|\d{1,3}|[^\sA-Za-z\d]/g) ?? []).length
}

describe('briefPolicy', () => {
  it('tells the agent in a few lines what it would otherwise learn from denials', async () => {
    const policy = await load({
      permissions: {
        presets: ['read-only'],
        allow: ['Bash(npm test)', 'Bash(npm run build *)', 'Bash(git add *)', 'Bash(git commit *)', 'Edit(src/**)'],
        deny: ['Read(secrets/**)', 'Edit(src/gen/**)', 'Bash(git push *)'],
        ask: ['Bash(npm publish *)'],
      },
      checks: { commands: ['npm test'] },
    })
    const brief = briefPolicy(allowReading(policy, '/state/blobs'), FACTS)
    expect(brief).toBe(`<policy>
Commands that may start: \`npm test\`, \`npm run build *\`, \`git add *\`, \`git commit *\`, commands that only look (ls, cat, grep, git diff …); not \`git push *\`, \`npm publish *\`
May be changed: src/**, what git ignores; not src/gen/**
Hidden: secrets/**, secrets such as .env
Network of commands: none
Must pass in the end: \`npm test\`
</policy>`)
    expect(tokensOf(brief)).toBeLessThanOrEqual(200)
    expect(brief.length / 3.5).toBeLessThanOrEqual(150)
  })

  it('stays short for any policy, and says what is allowed', async () => {
    const many = Array.from({ length: 300 }, (_, at) => [`Bash(tool${at} *)`, `Edit(dir${at}/**)`]).flat()
    const long = briefPolicy(await load({ permissions: { allow: many } }), FACTS)
    expect(long).toContain('290 more')
    expect(long.length).toBeLessThan(600)
    const open = await load({
      permissions: { allow: ['Bash', 'WebFetch(domain:a.example)'], deny: ['Bash(curl *)'] },
      sandbox: { allow: ['registry.example'] },
    })
    const brief = briefPolicy(open, { network: 'allowlist', mayEditAll: true })
    expect(brief).toContain('Commands that may start: any; not `curl *`')
    expect(brief).toContain('every file of the project')
    expect(brief).toContain('Network of commands: registry.example\nWebFetch: a.example')
    expect(briefPolicy(await load({}), FACTS)).toContain('Commands that may start: none\nMay be changed: nothing\n')
  })
})

describe('mayAllow', () => {
  const tool = (name: string, server?: string) => ({
    name: server === undefined ? name : `mcp__${server}__${name}`,
    aliases: [],
    mcpInfo: server === undefined ? undefined : { server, tool: name },
  })

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['nothing', [], [], ['Bash', 'Read', 'Edit', 'Write', 'WebFetch', 'Agent', 'Skill']],
    ['a command', ['Bash(ls)'], ['Bash'], ['Read', 'Edit']],
    ['reading', ['Read(src/**)'], ['Read', 'Grep', 'LS'], ['Edit', 'Bash']],
    ['editing, which is reading too', ['Edit(src/**)'], ['Write', 'MultiEdit', 'Read', 'Glob'], ['Bash']],
    ['a bare name', ['Write', 'WebFetch'], ['Write', 'WebFetch'], ['Edit', 'Read']],
    ['a host', ['WebFetch(domain:a.example)'], ['WebFetch'], ['Bash']],
    ['an agent', ['Agent(reviewer)'], ['Agent'], ['Skill']],
  ])('knows which tools rules may allow: %s', async (_, allow, offered, not) => {
    const policy = await policyOf({ allow })
    expect(offered.filter((name) => !mayAllow(policy, tool(name)))).toEqual([])
    expect(not.filter((name) => mayAllow(policy, tool(name)))).toEqual([])
  })

  it('knows the tools of a server, and keeps tools without a rule', async () => {
    const policy = await policyOf({ allow: ['mcp__github__get_*'] })
    const names = [tool('get_issue', 'github'), tool('delete_repo', 'github'), tool('get_issue', 'other')]
    expect(names.map((each) => mayAllow(policy, each))).toEqual([true, false, false])
    expect(mayAllow(policy, tool('Sleep'))).toBe(true)
  })
})
