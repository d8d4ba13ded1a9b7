import { describe, expect, it } from 'vitest'
import { resolvePath } from '../../src/files/resolvePath.ts'
import { toCall } from '../../src/permissions.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { findTool } from '../../src/Tool.ts'
import { getAllBaseTools } from '../../src/tools.ts'
import { HOME, PROJECT, policyOf, type RuleLists } from '../helpers/policy/policyCalls.ts'

const context = { cwd: PROJECT, home: HOME, resolvePath: (path: string, cwd = PROJECT) => resolvePath(path, cwd, HOME) }

function callOf(command: string) {
  const tool = findTool(getAllBaseTools(), 'Bash')
  if (tool === undefined) throw new Error('there is no Bash')
  return toCall(tool, { command }, context)
}

/** What the rules say of a Bash line: the behavior, the type of the reason, and the rule or the code of the reason. */
async function judge(command: string, lists: RuleLists): Promise<string> {
  const { behavior, reason } = evaluate(await policyOf(lists), callOf(command))
  const why = 'why' in reason && reason.why !== undefined ? ` ${reason.why.code}` : ''
  return `${behavior} ${reason.type}${reason.type === 'rule' ? ` ${reason.rule.text}` : ''}${why}`
}

describe('a bare `Bash`, where a deny or an ask may mean what no word shows', () => {
  it.each<[string, RuleLists, string]>([
    ['eval "$X"', { allow: ['Bash'] }, 'allow rule Bash'],
    ['eval "$X"', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'deny rule Bash(curl *) mayContainCommand'],
    ['eval "$X"', { allow: ['Bash'], ask: ['Bash(curl *)'] }, 'ask rule Bash(curl *) mayContainCommand'],
    ['eval "curl x"', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'deny rule Bash(curl *)'],
    ['$X', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'deny rule Bash(curl *)'],
    ['X=1 make', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'allow rule Bash'],
    ['LD_PRELOAD=curl make', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'deny rule Bash(curl *) mayContainCommand'],
    ['LD_PRELOAD=x make', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'allow rule Bash'],
    ['LD_PRELOAD=x make', { allow: ['Bash'], deny: ['Bash(make *)'] }, 'deny rule Bash(make *)'],
    ['node -e "curl"', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'deny rule Bash(curl *) mayContainCommand'],
    ['node -e "curl x"', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'deny rule Bash(curl *) mayContainCommand'],
    ['node -e "curl x"', { allow: ['Bash', 'Bash(node -e "curl x")'], deny: ['Bash(curl *)'] }, 'allow rule Bash'],
    ['node -e "curl x"', { allow: ['Bash'], ask: ['Bash(curl *)'] }, 'ask rule Bash(curl *) mayContainCommand'],
    ['node -e "ls"', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'allow rule Bash'],
    ['xargs rm', { allow: ['Bash'], deny: ['Bash(rm *)'] }, 'deny rule Bash(rm *)'],
    ['coproc x', { allow: ['Bash'], deny: ['Bash(y)'] }, 'allow rule Bash'],
    ['coproc curl', { allow: ['Bash'], deny: ['Bash(curl)'] }, 'deny rule Bash(curl) mayContainCommand'],
  ])('%s', async (line, lists, said) => {
    expect(await judge(line, lists)).toBe(said)
  })
})

describe('files that a command reads or writes', () => {
  it.each<[string, RuleLists, string]>([
    ['cat /etc/hosts', { allow: ['Bash(cat *)'] }, 'ask headless reachesOutside'],
    ['cat /etc/shadow', { allow: ['Bash(cat *)'] }, 'ask protected'],
    ['cat ~/.ssh/id_rsa', { allow: ['Bash(cat *)'] }, 'ask protected'],
    ['cat /srv/other/a', { allow: ['Bash(cat *)'] }, 'ask headless reachesOutside'],
    ['cat a', { allow: ['Bash(cat *)'], deny: ['Read'] }, 'deny rule Read'],
    ['touch a', { allow: ['Bash(touch *)'], deny: ['Edit'] }, 'deny rule Edit'],
    ['cat a', { allow: ['Bash(cat *)'], deny: ['Edit'] }, 'allow rule Bash(cat *)'],
    ['make > a', { allow: ['Bash(make)'], deny: ['Edit'] }, 'deny rule Edit'],
    ['make > /dev/null', { allow: ['Bash(make)'] }, 'allow rule Bash(make)'],
    ['make > a', { allow: ['Bash(make)'] }, 'allow builtin'],
    ['make > /srv/other/a', { allow: ['Bash(make)'] }, 'ask headless noRule'],
    ['cp a /srv/other/b', { allow: ['Bash(cp *)'] }, 'allow rule Bash(cp *)'],
  ])('%s', async (line, lists, said) => {
    expect(await judge(line, lists)).toBe(said)
  })
})

describe('why no rule allows a command', () => {
  it.each<[string, RuleLists, string]>([
    ['LD_PRELOAD=curl make', { allow: ['Bash(make)'] }, 'ask opaque variable'],
    ['xargs rm', { allow: ['Bash(xargs *)'] }, 'ask headless noRule'],
    ['find . -exec rm {} +', { allow: ['Bash(find *)'] }, 'ask headless noRule'],
    ['make; ls', { allow: ['Bash(ls)'] }, 'ask headless noRule'],
    ['cd sub && ./run.sh', { allow: ['Bash(./run.sh)'] }, 'ask headless moved'],
    ['cd sub && ./run.sh', { allow: ['Bash(cd *)', 'Bash(./run.sh)'] }, 'ask headless moved'],
    ['git -c core.pager=x log', { allow: ['Bash(git log *)'] }, 'ask headless starts'],
    ['git -c core.pager=x log', { allow: ['Bash(git *)'] }, 'ask headless starts'],
    ['coproc x', { allow: ['Bash(x)'] }, 'ask opaque construct'],
    ['alias ls=rm; ls', { allow: ['Bash(ls)'] }, 'ask opaque unseenCommands'],
    ['bash -c "$X"', { allow: ['Bash(bash *)'] }, 'ask opaque unseenCommands'],
    ['sudo make', { allow: ['Bash(make)'] }, 'ask headless changesHow'],
    ['timeout 5 make', { allow: ['Bash(timeout *)'] }, 'ask headless noRule'],
    ['env make', { allow: ['Bash(env *)'] }, 'ask headless noRule'],
  ])('%s', async (line, lists, said) => {
    expect(await judge(line, lists)).toBe(said)
  })
})

describe('commands that a rule covers, or that need none', () => {
  it.each<[string, RuleLists, string]>([
    ['node -e "ls"', { allow: ['Bash(node *)'] }, 'allow rule Bash(node *)'],
    ['true', {}, 'allow builtin'],
    ['python3 x.py', { allow: ['Bash(python3 *)'] }, 'allow rule Bash(python3 *)'],
    ['timeout 5 make', { allow: ['Bash(make)'] }, 'allow rule Bash(make)'],
    ['rm -rf "$X"', { allow: ['Bash(rm *)'] }, 'allow rule Bash(rm *)'],
  ])('%s', async (line, lists, said) => {
    expect(await judge(line, lists)).toBe(said)
  })
})

describe('a redirect to a file that is known only at run time', () => {
  it.each<[string, RuleLists, string]>([
    ['make > "$X"', { allow: ['Bash(make)'] }, 'allow builtin'],
    ['make > "$X"', {}, 'ask headless noRule'],
    ['cd "$X" && make > log', { allow: ['Bash(make)', 'Bash(cd *)'] }, 'allow rule Bash(cd *)'],
    ['make > $X', { allow: ['Bash(make)'] }, 'ask opaque redirect'],
    ['make > "/dev/tcp/$X"', { allow: ['Bash(make)'] }, 'ask opaque redirect'],
    ['make > "$X"', { deny: ['Bash(make)'] }, 'deny rule Bash(make)'],
    ['echo git push > "$X"', { allow: ['Bash'], deny: ['Bash(git push *)'] }, 'allow builtin'],
    ['git log > "$X"; echo git push', { allow: ['Bash'], deny: ['Bash(git push *)'] }, 'allow rule Bash'],
    ['git log < "$X"', { allow: ['Bash(git *)'] }, 'allow builtin'],
    ['git log > "$X"', { allow: ['Bash'] }, 'allow rule Bash'],
  ])('needs no rule in the sandbox: %s', async (line, lists, said) => {
    expect(await judge(line, lists)).toBe(said)
  })

  it.each<[string, RuleLists]>([
    ['make > "$X"; git log', { allow: ['Bash(make)', 'Bash(git *)'] }],
    ['cd "$X" && make > config; git log', { allow: ['Bash(make)', 'Bash(git *)', 'Bash(cd *)'] }],
    ['while make > "$X"; do /usr/bin/git log; done', { allow: ['Bash(make)', 'Bash(/usr/bin/git *)'] }],
  ])('is refused where it may write what git is to run: %s', async (line, lists) => {
    expect(await judge(line, lists)).toBe('ask opaque redirect')
  })

  it.each<[string, RuleLists, string]>([
    ['make < "$X"', { allow: ['Bash(make)'], deny: ['Read'] }, 'deny rule Read'],
    ['make > "$X"', { allow: ['Bash(make)'], deny: ['Edit'] }, 'deny rule Edit'],
    ['make > "$X"', { allow: ['Bash(make)'], ask: ['Edit'] }, 'ask rule Edit'],
    ['make < "$X"', { allow: ['Bash(make)'], deny: ['Edit'] }, 'allow builtin'],
    ['cd "$X" && make > log', { allow: ['Bash'], deny: ['Edit'] }, 'deny rule Edit'],
  ])('is bound by a rule for every file: %s', async (line, lists, said) => {
    expect(await judge(line, lists)).toBe(said)
  })

  it.each<[string, 'none' | 'allowlist' | 'open', string]>([
    ['make > "$X"', 'none', 'allow'],
    ['make > "$X"', 'allowlist', 'allow'],
    ['make > "$X"', 'open', 'ask'],
    ['make < "$X"', 'open', 'ask'],
    ['make > "out/$X"', 'open', 'allow'],
    ['cd "$X" && make > tcp/h/1', 'open', 'allow'],
    ['make > "/dev/t$X"', 'none', 'ask'],
    ['make > "/dev/fd/$X"', 'open', 'allow'],
  ])('is refused if bash may open an unrestricted connection: %s, network %s', async (line, network, behavior) => {
    const policy = await policyOf({ allow: ['Bash(make)', 'Bash(cd *)'] })
    const settings = { ...policy.settings, sandbox: { ...policy.settings.sandbox, network } }
    expect(evaluate({ ...policy, settings }, callOf(line)).behavior).toBe(behavior)
  })

  it('is refused without the sandbox also behind `/dev/fd/`, from where a path may climb', async () => {
    const policy = { ...(await policyOf({ allow: ['Bash(make)'] })), isUnsandboxed: true }
    for (const line of ['make < "/dev/fd/$X"', 'make > "/dev/fd/$X"'])
      expect(evaluate(policy, callOf(line))).toMatchObject({ behavior: 'ask', reason: { type: 'opaque' } })
    expect(evaluate(policy, callOf('make < <(make)')).behavior).toBe('allow')
  })

  it('is refused without the sandbox, which alone decides on it', async () => {
    const policy = { ...(await policyOf({ allow: ['Bash(make)'] })), isUnsandboxed: true }
    expect(evaluate(policy, callOf('make > "$X"'))).toMatchObject({ behavior: 'ask', reason: { type: 'opaque' } })
  })
})

describe('words', () => {
  it('say what allowed a thing without a rule', async () => {
    const rows = [
      ['true', 'it needs no rule'],
      ['make > a', 'no rule covers it, so it stays only if git ignores it'],
      ['make > src/a', 'Edit(src/**)'],
      ['make > /var/tmp/a', 'commands may write there'],
      ['cp a b', 'the command needs the rule, not its operand'],
    ] as const
    for (const [line, detail] of rows) {
      const { parts } = evaluate(await policyOf({ allow: ['Bash(make)', 'Bash(cp *)', 'Edit(src/**)'] }), callOf(line))
      const details = parts.map(({ reason }) =>
        reason.type === 'builtin' ? reason.detail : reason.type === 'rule' ? reason.rule.text : reason.type,
      )
      expect(details).toContain(detail)
    }
  })
})
