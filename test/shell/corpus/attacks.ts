import { type Row, readRows } from './readRows.ts'

const lines = readRows('attackLines')

/** Against an allow, and against a deny. */
const wrapped = [
  '  allow: echo:*, ls:*, timeout:*, nice:*, nohup:*, stdbuf:*, env:*, xargs:*, find:*, bash:*',
  '  allow: *\n  deny: touch:*',
].flatMap((rules) => readRows('attackWrapped', rules))

/** Lines that do something which no rule allows, by what hides it. The order decides which lines the oracle generates. */
export const ATTACKS: readonly Row[] = [
  // Longer than a line may be.
  ...lines.slice(0, 1).map((row) => ({ ...row, text: `echo ${'a'.repeat(10_000)}; touch pwned` })),
  ...[lines, readRows('attackState'), wrapped, readRows('attackOptions'), readRows('attackReads')].flat(),
  ...[readRows('attackReview'), readRows('attackPlaces'), readRows('attackShells')].flat(),
]

/** Programs that do more than their rule says. */
export const PROGRAMS: readonly Row[] = [...readRows('misread'), ...readRows('programs')]
