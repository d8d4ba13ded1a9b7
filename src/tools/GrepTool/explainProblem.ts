/** Ripgrep's error with advice that fits this tool. Its own advice names flags that this tool does not have. */
export function explainProblem(problem: string): string {
  const text = problem
    .replace(/^rg: /, '')
    .replace(/\s*Consider enabling [\s\S]*$/, '')
    .trim()
    .slice(0, 1000)
  const advice = ADVICE.find(([symptom]) => symptom.test(problem))?.[1]
  return advice === undefined ? text : `${text}\n${advice}`
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/"\\n" is not allowed|multiline mode/, 'Set multiline to match across lines.'],
  [/look-around|backreferences/, 'Write the pattern without it.'],
  [/regex parse error/, 'In a regular expression, ( ) [ ] { } . * + ? | ^ $ are literal only after a \\.'],
  [/unrecognized file type/, 'Leave type out and give a glob, like *.ext.'],
]
