import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { timerMs } from '../../../src/lib/async/timerMs.ts'
import { faultsOf } from '../../../src/lib/faultsOf.ts'
import { headAndTail } from '../../../src/lib/process/headAndTail.ts'
import { diffLine, outputLine, parseOutputs } from '../../../src/lib/proposedOutput.ts'
import * as duration from '../../../src/lib/text/duration.ts'
import { expandBraces } from '../../../src/lib/text/expandBraces.ts'
import { fillTemplate, linesOf, type TemplateValues, withOutputs } from '../../../src/lib/text/fillTemplate.ts'
import { isJson, jsonOrFile, parseObject, sortedKeys } from '../../../src/lib/text/json.ts'
import { matchesGlob } from '../../../src/lib/text/matchesGlob.ts'
import { didYouMean } from '../../../src/lib/text/nearest.ts'
import { programName } from '../../../src/lib/text/programName.ts'
import { splitFrontMatter } from '../../../src/lib/text/splitFrontMatter.ts'
import { stripHidden, visibleName } from '../../../src/lib/text/visibleName.ts'
import * as words from '../../../src/lib/text/words.ts'
import { codeFence } from '../../../src/lib/text/words.ts'

/** A template with what was written after its name, and what its commands print: their own lines. */
function filled(template: string, given: string, kind: TemplateValues['kind']): readonly string[] {
  const whole = fillTemplate(template, { given, kind, variables: { HERE: '/skill' } })
  return [
    withOutputs(
      whole,
      linesOf(whole).map((line) => `(${line})`),
    ),
    withOutputs(whole),
  ]
}

const inOrder = (value: unknown) => JSON.stringify(value, sortedKeys)
const ofMany = (text: string, count: number, ...rest: [number, string?, number?]) =>
  headAndTail(text.repeat(count), ...rest)
const functions: Readonly<Record<string, unknown>> = {
  ...{ ...words, ...duration, timerMs, faultsOf, headAndTail, ofMany, diffLine, outputLine, parseOutputs, codeFence },
  ...{ expandBraces, filled, isJson, jsonOrFile, parseObject, inOrder, matchesGlob, didYouMean, programName },
  ...{ splitFrontMatter, stripHidden, visibleName },
}

/** What a reader of the golden file would not see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Mn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu

// What each small function makes of each argument. Read a change as what a person or the model is then shown.
it('makes these texts of these values', async () => {
  const calls: Readonly<Record<string, readonly unknown[][]>> = parse(
    readFileSync(new URL('texts.yml', import.meta.url), 'utf8'),
  )
  const told = Object.entries(calls).map(([name, rows]) => [`## ${name}`, ...rows.map((row) => tell(name, row))])
  await expect(told.map((lines) => lines.join('\n')).join('\n\n')).toMatchFileSnapshot('golden/texts.txt')
})

function tell(name: string, given: readonly unknown[]): string {
  const call = functions[name] as (...args: readonly unknown[]) => unknown
  const shown = (value: unknown) =>
    (JSON.stringify(value) ?? 'nothing').replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
  try {
    return `${given.map(shown).join(', ')}\n  ${shown(call(...given))}`
  } catch (error) {
    return `${given.map(shown).join(', ')}\n  ✗ ${String(error)}`
  }
}
