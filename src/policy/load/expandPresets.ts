import { escapeGlob } from '../matchers/escapeGlob.ts'
import type { Rule } from '../Policy.ts'
import { type PresetName, readPreset } from '../presets.ts'
import { parseRule } from '../rules/parseRule.ts'

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
      return [rule, ...directories.map((folder) => ({ ...rule, ...named(`${tool}(/${escapeGlob(folder)}/**)`) }))]
    })
}

function rulesOf(name: PresetName): readonly Rule[] {
  return readPreset(name)
    .split('\n')
    .flatMap((line, index) => {
      const [, indent, text] = RULE_LINE.exec(line) ?? []
      if (indent === undefined || text === undefined) return []
      const place = { file: `preset:${name}`, line: index + 1, column: indent.length + 1 }
      return { list: 'allow', ...place, ...named(text) } as const
    })
}

function named(text: string): Pick<Rule, 'text' | 'tool' | 'target'> {
  const { tool, target } = parseRule(text, 'allow')
  return { text, tool, target }
}
