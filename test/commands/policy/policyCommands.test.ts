import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tryCommandLine } from '../../helpers/commandLine.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const POLICY = `version: 1
permissions:
  presets: [read-only]
  allow:
    - "Bash(npm test)"
    - "Edit(src/**)"
    - "mcp__github__get_*"
  ask: ["Bash(git push *)"]
  deny: ["Read(.env)"]
`

function kodeRun(argv: readonly string[], stdin = '', files: Readonly<Record<string, string>> = {}) {
  return tryCommandLine(makeFiles({ 'policy.yml': POLICY, ...files }), argv, { stdin })
}

describe('policy explain', () => {
  it('continues after an unreadable line: a byte order mark, broken JSON, no call, too deep nesting', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const good = '{"tool":"Bash","input":{"command":"npm test"}}'
    const bad = ['{broken', '[]', 'null', '{"tool":5,"input":{}}', '{"tool":"Bash","input":[]}', '{"tool":"Bash"}']
    const odd = [`${good}${good}`, `{"tool":"Read","input":{"file_path":${deep}}}`, '{"tool":"__proto__","input":{}}']
    const lines = [`\ufeff${good}\r`, '', ...[...bad, ...odd].flatMap((line) => [line, good]), '   ']
    const { code, out } = await kodeRun(['policy', 'explain', '--policy', 'policy.yml', '--batch'], lines.join('\n'))
    const decisions = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).decision)
    expect([code, decisions]).toEqual([0, ['allow', ...[...bad, ...odd].flatMap(() => ['deny', 'allow'])]])
  })
})

describe('policy presets', () => {
  it('prints the file that messages refer to by line', async () => {
    const { out: node } = await kodeRun(['policy', 'presets', 'node'])
    expect(node).toBe(readFileSync('presets/node.yml', 'utf8'))
    const policy = 'version: 1\npermissions: { presets: [node] }\n'
    const explained = await kodeRun(['policy', 'explain', '--policy', 'node.yml', 'Bash(npx tsc)'], '', {
      'node.yml': policy,
    })
    const [, line] = /\(preset:node:(\d+)\)/.exec(explained.out) ?? []
    expect(node.split('\n')[Number(line) - 1]).toContain('Bash(npx tsc *)')
  })
})

describe('policy schema', () => {
  it('is the published file', async () => {
    const { out } = await kodeRun(['policy', 'schema'])
    expect(out).toBe(readFileSync('schema/policy.schema.json', 'utf8'))
  })
})
