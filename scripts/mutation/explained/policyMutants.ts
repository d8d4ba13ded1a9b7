import type { Explained } from '../explained.ts'

/** Of `src/policy`. */
export const policyMutants: readonly Explained[] = [
  {
    file: 'src/policy/rules/indexRules.ts',
    why: 'A pattern has a first word: this is for the compiler.',
    mutants: [
      `if (pattern.kind !== 'glob') return programName(pattern.words[0] ?? '') | '' => "Stryker was here!"`,
      `const [start = ''] = pattern.segments | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/policy/rules/indexRules.ts',
    why: 'No word begins with what separates words.',
    mutants: [`return end < 0 ? undefined : programName(start.slice(0, end)) | end < 0 => end <= 0`],
  },
  {
    file: 'src/policy/rules/bareRules.ts',
    why: 'Only JSON reaches this, which is never `undefined`.',
    mutants: [`return typeof value === 'string' ? value : (JSON.stringify(value) ?? '') | '' => "Stryker was here!"`],
  },
  {
    file: 'src/policy/rules/indexPolicy.ts',
    why: 'A field of `undefined` and none are read alike.',
    mutants: [`...(first === undefined ? {} : { origin: first }), | first === undefined => false`],
  },
  {
    file: 'src/policy/rules/indexRules.ts',
    why: 'A rule on nothing names no parameter, so no call has it.',
    mutants: [
      `else if (target.kind === 'parameter') parameters.push({ rule, name: target.name, pattern: … | target.kind === 'parameter' => true`,
    ],
  },
  {
    file: 'src/policy/rules/indexRules.ts',
    why: 'Each candidate is compared in full, in the letters that its list takes.',
    mutants: [
      `const isFolded = list !== 'allow' | list !== 'allow' => true`,
      `const isFolded = list !== 'allow' | 'allow' => ""`,
    ],
  },
  {
    file: 'src/policy/rules/indexRules.ts',
    why: 'Nothing lies in a folder of this name.',
    mutants: [`if (list === 'allow' && isWithin(base, options.cwd)) return [] | [] => ["Stryker was here"]`],
  },
  {
    file: 'src/policy/rules/matchesRule.ts',
    why: 'Every list but allow is read alike.',
    mutants: [`const rule = ruleOf(text, 'deny', { file: '', line: 0 }) | 'deny' => ""`],
  },
  {
    file: 'src/policy/rules/matchesRule.ts',
    why: 'Nobody reads the file of this rule, and no path has such a name.',
    mutants: [
      `const rule = ruleOf(text, 'deny', { file: '', line: 0 }) | '' => "Stryker was here!"`,
      `const index = indexRules([rule], { cwd: policy.cwd, home: policy.home, resolve: () => [] }… | [] => ["Stryker was here"]`,
      `if (evaluate({ ...policy, index, files: [], untouchable: [] }, call).reason.type === 'rule… | [] => ["Stryker was here"]`,
    ],
  },
  {
    file: 'src/policy/rules/parseRule.ts',
    why: 'The groups always take part: this is for the compiler.',
    mutants: [
      `return found ? { kind: 'parameter', name: found[1] ?? '', pattern: found[2] ?? '' } : unde… | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/policy/rules/parseRule.ts',
    why: 'No rule names such a tool.',
    mutants: [
      `export function parseRule(text: string, list: Behavior, extraTools: readonly string[] = []… | [] => ["Stryker was here"]`,
    ],
  },
  {
    file: 'src/policy/rules/readRules.ts',
    why: 'A rule of a family always has an edit, and nothing is as false.',
    mutants: [
      `if (options.isLenient && problem.kind === 'family' && problem.edit !== undefined) { | problem.edit !== undefined => true`,
      `readRule(text, list, { file, line: 0, column: 0 }, { tools, isLenient: false, isCommented:… | () => false => () => undefined`,
    ],
  },
  {
    file: 'src/policy/rules/splitRule.ts',
    why: 'A rule that begins with a parenthesis was refused before.',
    mutants: [`if (open < 0) return { name, specifier: undefined } | open < 0 => open <= 0`],
  },
  {
    file: 'src/policy/rules/splitRule.ts',
    why: 'There is no sign after the last.',
    mutants: [
      `for (let index = open; index < text.length; index += 1) { | index < text.length => index <= text.length`,
    ],
  },
  {
    file: 'src/policy/matchers/caseFold.ts',
    why: 'A short way for plain names, of which nothing changes in the long one.',
    mutants: [
      'if (/^[ -@[-~]*$/.test(text)) return text | /^[ -@[-~]*$/.test(text) => false',
      'if (/^[ -@[-~]*$/.test(text)) return text | /^[ -@[-~]*$/ => /^[ -@[-~]$/',
    ],
  },
]
