import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Figures, figuresIn, lossesOf, showFigures } from './history/figures.ts'

/**
 * Adds a night's part to the history, and tells what is worse than in the night before: `node --import tsx
 * scripts/keepHistory.ts HISTORY PART LOG CODE SECONDS COMMIT`. Exit 1 where something is.
 */
const [history = '', part = '', log = '', code = '', seconds = '', commit = ''] = process.argv.slice(2)
if (commit === '') throw new Error('give HISTORY PART LOG CODE SECONDS COMMIT')

const HEAD = `# What the nights counted

A row for each part of \`nightly.yml\`, written by \`scripts/keepHistory.ts\`. A figure that is worse than in the row of the same part
before fails that night; one that is measured, only where it is half as much again.

| day | commit | part | exit | seconds | figures |
|---|---|---|---|---|---|
`

const figures = figuresIn(readFileSync(log, 'utf8'))
const losses = lossesOf(figures, Number.parseInt(code, 10), lastFigures(part))
const day = new Date().toISOString().slice(0, 10)
if (!existsSync(history)) {
  mkdirSync(dirname(history), { recursive: true })
  writeFileSync(history, HEAD)
}
const row = [day, commit.slice(0, 10), part, code, seconds, showFigures(figures)]
appendFileSync(history, `| ${row.join(' | ')} |\n`)
for (const loss of losses) console.log(`LOSS in ${part}: ${loss}`)
process.exitCode = losses.length === 0 ? 0 : 1

/** Those of the part's last row. */
function lastFigures(name: string): Figures | undefined {
  const rows = existsSync(history) ? readFileSync(history, 'utf8').split('\n') : []
  const cells = rows.map((line) => line.split('|').map((cell) => cell.trim())).findLast((row) => row[3] === name)
  return cells === undefined ? undefined : figuresIn(cells.at(-2) ?? '')
}
