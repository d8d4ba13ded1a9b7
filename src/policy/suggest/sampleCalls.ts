import type { Policy, Rule } from '../Policy.ts'

/** A call as a person writes it, with the input that a model would send. */
export type SampleCall = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

/** No rule names it: only a rule with a wildcard there covers it. */
const ANY = 'any-name'

/**
 * Calls that show what the rules of two policies mean. For each rule: its text with sample names for its stars. For
 * each pair of an allow and a deny: what both may match. And some calls that every policy is tested with. Pure.
 */
export function sampleCalls(policies: readonly Policy[]): readonly SampleCall[] {
  const rules = [
    ...new Map(policies.flatMap(({ rules }) => rules).map((rule) => [`${rule.list} ${rule.text}`, rule])).values(),
  ]
  const against = rules.filter(({ list }) => list !== 'allow')
  const allows = rules.filter(({ list }) => list === 'allow')
  const crossed = allows.flatMap((allow) => against.flatMap((deny) => meetings(allow, deny)))
  const calls = [...COMMON, ...rules.flatMap(samplesOf), ...crossed]
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()]
}

function samplesOf({ tool, target }: Rule): readonly SampleCall[] {
  switch (target.kind) {
    case 'command':
      return commandsOf(target.pattern).map(bash)
    case 'path':
      return pathsOf(target.pattern).map((path) => file(target.access, path))
    case 'domain':
      return [target.pattern.replaceAll('*', ANY), target.pattern.replace(/^\*\./, '')].map(fetch)
    case 'mcp':
      return [{ tool: `mcp__${filled(target.server)}__${filled(target.tool)}`, input: {} }]
    case 'name':
      return [named(tool, filled(target.pattern))]
    case 'bare':
      return bareSamples(tool)
    case 'parameter':
    case 'nothing':
      return []
  }
}

function bareSamples(tool: string): readonly SampleCall[] {
  if (tool === 'Bash') return [bash(`${ANY} --${ANY}`)]
  if (tool === 'Edit' || tool === 'Read') return [file(tool === 'Edit' ? 'write' : 'read', `${ANY}/${ANY}.txt`)]
  if (tool === 'WebFetch') return [fetch(`${ANY}.example`)]
  return [named(tool, ANY)]
}

function filled(pattern: string): string {
  return pattern.replaceAll('*', ANY)
}

function commandsOf(pattern: string): readonly string[] {
  const body = pattern.replace(/(?::| )\*$/, '')
  return body === pattern ? [filled(body)] : [filled(body), `${filled(body)} ${ANY}`, `${filled(body)} --${ANY}`]
}

function pathsOf(pattern: string): readonly string[] {
  const path = pattern
    .replace(/^\/\//, '\0')
    .replace(/^\.?\//, '')
    .replace('\0', '/')
  const named = path.replace(/\/$/, '/**').replaceAll('**', ANY).replaceAll('*', ANY)
  return /(?:\*\*|\/)$/.test(path) ? [`${named}.txt`, `${named}/${ANY}.txt`] : [named]
}

/** What an allow and a deny both match: `git push *` and `* --force` both match `git push --force`. */
function meetings({ target: allow }: Rule, { target: deny }: Rule): readonly SampleCall[] {
  if (deny.kind === 'command' && allow.kind === 'command') {
    const words = filled(allow.pattern.replace(/(?::| )\*$/, '')).split(' ')
    const [first = ''] = deny.pattern.split(/[\s:]/)
    if (!first.includes('*') && first !== words[0]) return []
    const others = deny.pattern.split(/\s+/).filter((word) => word !== '*' && !words.includes(word))
    return [bash([...words, ...others.map((word) => filled(word.replace(/:\*$/, '')))].join(' '))]
  }
  if (deny.kind !== 'path' || allow.kind !== 'path') return []
  const folder = /^(.*\/)?(?:[^/]*[*?[].*)?$/.exec(allow.pattern)?.[1]
  const pattern = deny.pattern.replace(/^\*\*\//, '')
  // A slash before its end ties a pattern to the root of the project.
  const isTied = /\/./.test(pattern)
  if (folder === undefined && !isTied) return []
  return pathsOf(isTied ? pattern : `${folder ?? ''}${pattern}`).map((path) => file(allow.access, path))
}

function bash(command: string): SampleCall {
  return { tool: 'Bash', input: { command } }
}

function file(access: 'read' | 'write', path: string): SampleCall {
  return access === 'read'
    ? { tool: 'Read', input: { file_path: path } }
    : { tool: 'Write', input: { file_path: path, content: '' } }
}

function fetch(host: string): SampleCall {
  return { tool: 'WebFetch', input: { url: `https://${host}/` } }
}

function named(tool: string, name: string): SampleCall {
  if (tool === 'Agent') return { tool, input: { subagent_type: name, prompt: 'work', description: 'work' } }
  return { tool, input: tool === 'Skill' ? { skill: name } : {} }
}

/** Calls that people worry about or need. */
const COMMON: readonly SampleCall[] = [
  ...['npm test', 'npm install left-pad', 'git commit -m x', 'git push origin main', 'git push --force', 'make'].map(
    bash,
  ),
  ...['rm -rf .', 'curl https://example.com', "node -e 'run()'", 'sudo ls', 'cat .env', 'ls', 'npm publish'].map(bash),
  ...['README.md', 'src/a.txt', 'package.json', '.github/workflows/ci.yml', '.env'].map((path) => file('write', path)),
  ...['README.md', '.env', '/etc/passwd'].map((path) => file('read', path)),
  fetch('example.com'),
]
