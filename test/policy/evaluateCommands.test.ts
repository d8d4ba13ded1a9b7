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
    // A file, or what a program prints, is judged by what it does, as a script that is started.
    ['source venv/bin/activate', { allow: ['Bash'], deny: ['Bash(git push *)'] }, 'allow rule Bash'],
    ['. ./env.sh x', { allow: ['Bash'], deny: ['Bash(git push *)'] }, 'allow rule Bash'],
    ['. ./push.sh', { allow: ['Bash'], deny: ['Bash(./push.sh)'] }, 'deny rule Bash(./push.sh)'],
    ['eval "$(ssh-agent -s)"', { allow: ['Bash'], deny: ['Bash(git push *)'] }, 'allow rule Bash'],
    [
      'eval "$(tool git pu""sh x)"',
      { allow: ['Bash'], deny: ['Bash(git push *)'] },
      'deny rule Bash(git push *) mayContainCommand',
    ],
    ['eval "$(curl x)"', { allow: ['Bash'], deny: ['Bash(curl *)'] }, 'deny rule Bash(curl *)'],
    [
      'eval "$(env printf "git pu%s" sh)"',
      { allow: ['Bash'], deny: ['Bash(git push *)'] },
      'deny rule Bash(git push *) mayContainCommand',
    ],
    [
      '. <(command echo git "pu"sh)',
      { allow: ['Bash'], deny: ['Bash(git push *)'] },
      'deny rule Bash(git push *) mayContainCommand',
    ],
    ['bash /dev/stdin <<< x', { allow: ['Bash'], deny: ['Bash(y)'] }, 'deny rule Bash(y) mayContainCommand'],
    ['echo ${pr#\\#}', { allow: ['Bash'], deny: ['Bash(y)'] }, 'allow rule Bash'],
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
    ['git -C . status', { allow: ['Bash(git status *)'] }, 'allow rule Bash(git status *)'],
    ['git -C sub/x -P log', { allow: ['Bash(git log *)'] }, 'allow rule Bash(git log *)'],
    ['cd sub && git -C .. log', { allow: ['Bash(git log *)'] }, 'allow builtin'],
    ['git -C .. log', { allow: ['Bash(git log *)'] }, 'ask headless noRule'],
    ['git -C "$X" log', { allow: ['Bash(git log *)'] }, 'ask headless noRule'],
    ['git -C sub -C ../.. log', { allow: ['Bash(git log *)'] }, 'ask headless noRule'],
    ['git -C sub status', { allow: ['Bash(git -C sub status)'] }, 'allow rule Bash(git -C sub status)'],
    [
      'source venv/bin/activate',
      { allow: ['Bash(source venv/bin/activate)'] },
      'allow rule Bash(source venv/bin/activate)',
    ],
    ['eval "$(minikube env)"', { allow: ['Bash(eval *)', 'Bash(minikube *)'] }, 'ask headless unseenCommands'],
    ['python3 x.py', { allow: ['Bash(python3 *)'] }, 'allow rule Bash(python3 *)'],
    ['timeout 5 make', { allow: ['Bash(make)'] }, 'allow rule Bash(make)'],
    ['rm -rf "$X"', { allow: ['Bash(rm *)'] }, 'allow rule Bash(rm *)'],
  ])('%s', async (line, lists, said) => {
    expect(await judge(line, lists)).toBe(said)
  })
})

describe('a redirect to a file that is known only at run time', () => {
  // It could be a connection of bash, the settings of a program in the home of the run, or a file that a deny names.
  it.each([
    'make > "$X"',
    'make < "$X"',
    'cd "$X" && make > log',
    'make > $X',
    'make > "/dev/tcp/$X"',
    'make > "/dev/t$X"',
    'make < "/dev/fd/$X"',
    'make > "/dev/fd/$X"',
  ])('is refused under rules for single commands: %s', async (line) => {
    expect(await judge(line, { allow: ['Bash(make)', 'Bash(cd *)'] })).toBe('ask opaque redirect')
    expect(await judge(line, { allow: ['Bash'] })).toBe('allow rule Bash')
  })

  it('is none if the target is what another command prints', async () => {
    expect(await judge('make < <(make)', { allow: ['Bash(make)'] })).toBe('allow rule Bash(make)')
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
