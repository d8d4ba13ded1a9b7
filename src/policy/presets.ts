import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { escapeGlob } from './matchers/globs.ts'
import type { Rule } from './Policy.ts'
import { ruleOf } from './rules/parseRule.ts'

/** The presets that a policy may name, each a file in `presets/`. */
export const presets = [
  'read-only',
  'workspace',
  'git-commit',
  'node',
  'python',
  'go',
  'rust',
  'make',
  'github-read',
] as const

export type PresetName = (typeof presets)[number]

/** The file of a preset, as the places of its rules show it: `preset:node:12` is its line 12. */
export function readPreset(name: PresetName): string {
  return readFileSync(join(packageFolder(), 'presets', `${name}.yml`), 'utf8')
}

/** True for a preset's rule: its author is not the user, so remarks on it would not help. */
export function isOfPreset({ file }: { readonly file: string }): boolean {
  return file.startsWith('preset:')
}

/** The folder of the installed package: the nearest one above this file that has `presets/`, in the sources and in `dist/` alike. */
function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'presets', 'read-only.yml'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`no presets/ above ${import.meta.dirname}: the installation is incomplete`)
    folder = parent
  }
  return folder
}

/** A line with a rule. These files are ours and have one rule a line: a YAML parser would add 20 ms to each start. */
const RULE_LINE = /^( {4}- )(\S.*)$/

/** Stands for the project in a preset, and applies to every additional directory too. */
const WHOLE = /^(Read|Edit)\(\.\/\*\*\)$/

/** The rules of the presets, without duplicates. Their file is `preset:<name>`, their line that of the preset file. */
export function expandPresets(names: readonly PresetName[], directories: readonly string[]): readonly Rule[] {
  const rules = [...new Set(names)].flatMap(rulesOf)
  const firsts = new Map(rules.toReversed().map((rule) => [rule.text, rule]))
  return rules
    .filter((rule) => firsts.get(rule.text) === rule)
    .flatMap((rule) => {
      const [, tool] = WHOLE.exec(rule.text) ?? []
      if (tool === undefined) return [rule]
      return [rule, ...directories.map((folder) => ruleOf(`${tool}(/${escapeGlob(folder)}/**)`, 'allow', rule))]
    })
}

function rulesOf(name: PresetName): readonly Rule[] {
  return readPreset(name)
    .split('\n')
    .flatMap((line, index) => {
      const [, indent, text] = RULE_LINE.exec(line) ?? []
      if (indent === undefined || text === undefined) return []
      return ruleOf(text, 'allow', { file: `preset:${name}`, line: index + 1, column: indent.length + 1 })
    })
}
