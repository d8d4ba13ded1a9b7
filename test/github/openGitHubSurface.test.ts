import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseRunnerFile } from '../helpers/github/runnerFiles.ts'
import { parseRunnerOutput } from '../helpers/github/runnerParser.ts'
import { hostileText } from '../helpers/hostileText.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { times } from '../helpers/sampled.ts'

/** What the runner sees of a step that annotates and hands on each of these texts. */
async function playStep(texts: readonly string[]) {
  const file = join(makeFolder(), 'output')
  writeFileSync(file, '')
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/helpers/github/surfaceChild.ts'], {
    env: { PATH: process.env['PATH'] ?? '', GITHUB_OUTPUT: file },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(texts))
  return { log: await text(child.stdout), outputs: parseRunnerFile(readFileSync(file, 'utf8')) }
}

it('forges no command and no output, whatever the text of annotations and outputs', { tags: 'long' }, async () => {
  const texts = fc.sample(hostileText, times(10_000, 2_000))
  const { log, outputs } = await playStep(texts)
  const commands = parseRunnerOutput(log)
  expect(commands.filter(({ name }) => name !== 'warning')).toEqual([])
  expect(commands).toHaveLength(texts.length)
  expect(Object.keys(outputs)).toHaveLength(texts.length)
  // Runners differ in what they take for the end of a line, not in whose value it is.
  const plain = (value = '') => value.toWellFormed().replaceAll('\r', '')
  expect(texts.filter((value, index) => plain(outputs[`output_${index}`]) !== plain(value))).toEqual([])
})
