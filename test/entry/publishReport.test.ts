import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Annotation } from '../../src/contracts/annotation.ts'
import { outputsWithoutRun } from '../../src/entry/actionOutputs.ts'
import { publishReport } from '../../src/entry/publishReport.ts'
import type { RunReport } from '../../src/report/fold/runReport.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { foldRuns, reportOf } from '../helpers/runs/reportCorpus.ts'

/** What a step publishes, and the files that it leaves in its folder, but for the page of the report. */
async function publish(report: RunReport, { folder, attestation = '' }: { folder: string; attestation?: string }) {
  const notes: Annotation[] = []
  const set: Record<string, string> = {}
  const surface = {
    mask: () => undefined,
    saveState: () => undefined,
    annotate: (note: Annotation) => void notes.push(note),
    setOutput: (name: string, value: string) => void Object.assign(set, { [name]: value }),
  }
  const outputs = await publishReport(report, surface, folder, attestation)
  expect(set).toEqual(outputs)
  return { outputs, notes }
}

/** Each line as it can be read in a text file. */
const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => JSON.stringify(line))
    .join('\n')

it('publishes what is in the file of this name', async () => {
  const views: string[] = []
  for (const { name, report } of foldRuns()) {
    const folder = makeFolder()
    const result = report.result && { ...report.result, transcript_path: join(folder, 'transcript.jsonl') }
    const { outputs, notes } = await publish({ ...report, result }, { folder })
    const lines = Object.entries(outputs).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    const files = readdirSync(folder).filter((file) => file !== 'report.html')
    const texts = files.map((file) => `${file}:\n${quoted(readFileSync(join(folder, file), 'utf8'))}`)
    const all = [`━━ ${name}`, ...lines, ...notes.map((note) => JSON.stringify(note)), ...texts]
    views.push(all.join('\n').replaceAll(folder, 'FOLDER'))
  }
  views.push(...([null, 'config', 'completed'] as const).map((why) => JSON.stringify(outputsWithoutRun(why), null, 1)))
  await expect(`${views.join('\n\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden/published.txt'))
})

it('puts what is too large for an output into a file, and names its statement and its outputs', async () => {
  const folder = makeFolder()
  const { report } = reportOf('fixed')
  const transcript = join(folder, 'transcript.jsonl')
  const [proposed, attestation] = [join(folder, `${report.run}-outputs.jsonl`), join(folder, 'attestation.json')]
  writeFileSync(transcript, '{"seq":1}\n{"seq":2}\n{"se')
  writeFileSync(proposed, '')
  writeFileSync(attestation, '{"predicate":{"exit":1}}')
  const text = 'ü'.repeat(500_001)
  const result = report.result && {
    ...report.result,
    transcript_path: transcript,
    result: text,
    structured_output: [text],
  }
  const { outputs } = await publish({ ...report, result }, { folder, attestation })
  expect(outputs).toMatchObject({ transcript_file: transcript, outputs_file: proposed, attestation_file: attestation })
  const read = (path: string) => readFileSync(path, 'utf8')
  expect(read(outputs.report_file).includes(report.init?.prompt ?? '?')).toBe(true)
  expect(statSync(outputs.result).mode & 0o777).toBe(0o600)
  expect([read(outputs.result), JSON.parse(read(outputs.structured_output))]).toEqual([text, [text]])
  expect([JSON.parse(read(outputs.execution_file)), JSON.parse(read(outputs.predicate_file))]).toEqual([
    [{ seq: 1 }, { seq: 2 }],
    { exit: 1 },
  ])
})

const FILES = ['execution.json', 'report.html']

function withEach(folder: string, make: (path: string) => void): string {
  for (const name of FILES) make(join(folder, name))
  return folder
}

it.each([
  ['there is no folder', (folder: string) => join(folder, 'none'), []],
  ['folders have their names', (folder: string) => withEach(folder, (path) => mkdirSync(path)), FILES],
  ['the disk is full', (folder: string) => withEach(folder, (path) => symlinkSync('/dev/full', path)), []],
])('goes on where files cannot be written because %s, says which, and leaves no half', async (_, placeIn, left) => {
  const folder = placeIn(makeFolder())
  const { report } = reportOf('fixed')
  const transcript = join(makeFolder(), 'transcript.jsonl')
  writeFileSync(transcript, '{"seq":1}\n')
  const result = report.result && { ...report.result, transcript_path: transcript }
  const { outputs, notes } = await publish({ ...report, result, patch: null }, { folder })
  expect([outputs.report_file, outputs.execution_file]).toEqual(['', ''])
  expect(notes.map(({ level, title }) => `${level} ${title}`).slice(0, 2)).toEqual([
    'warning kode-run: no report',
    'warning kode-run: no execution file',
  ])
  expect(existsSync(folder) ? readdirSync(folder).sort() : []).toEqual(left)
})
