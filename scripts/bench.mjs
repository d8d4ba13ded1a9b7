// What a user waits and pays for: `npm run bench -- [--compare] [--quick] [--rounds N] [--turns N] [--files N] [--json | --figures]`.
// Medians of interleaved runs on this machine, against a model that answers at once. `--compare` plays claude, codex and pi as
// well; `--figures` ends with the line that the history of the nights keeps.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { openModel } from './bench/openModel.mjs'
import { findPeers } from './bench/peers.mjs'
import { play } from './bench/play.mjs'
import { hasProc } from './bench/processTree.mjs'
import { showFigures, showTable } from './bench/showTable.mjs'
import { FILE, lineOf, median, newFiles, trialsOf } from './bench/trials.mjs'

const { values: flags } = parseArgs({
  options: {
    compare: { type: 'boolean' },
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    figures: { type: 'boolean' },
    rounds: { type: 'string' },
    turns: { type: 'string' },
    files: { type: 'string' },
  },
})
const usual = flags.quick ? { rounds: 1, turns: 50, files: 1000 } : { rounds: 7, turns: 1000, files: 10_000 }
const [rounds, turns, files] = ['rounds', 'turns', 'files'].map((name) => countOf(name))

function countOf(name) {
  const count = Number(flags[name] ?? usual[name])
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} takes a number from 1`)
  return count
}

/** A repository with a file to read, and a home that no setting of this user reaches. */
function makePlace(url) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-bench-')))
  const [work, home] = [join(folder, 'work'), join(folder, 'home')]
  for (const path of [work, home, join(folder, 'tmp'), join(folder, 'made')]) mkdirSync(path)
  writeFileSync(join(work, FILE), Array.from({ length: turns + 200 }, (_, index) => `${lineOf(index + 1)}\n`).join(''))
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...words], { cwd: work })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Start')
  return { folder, work, home, url }
}

/** The shell alone, in ms. */
function makeFilesOutside(work) {
  const at = performance.now()
  execFileSync('bash', ['-c', newFiles(files)], { cwd: work })
  const took = performance.now() - at
  putAside(join(work, 'new'))
  return took
}

/**
 * What was made is removed only at the end. ext4 takes no inode that was freed in the last five seconds, and looks at
 * each of them for each new file: after ten thousand of them, this is nine tenths of what a new file takes.
 */
function putAside(path) {
  renameSync(path, join(place.folder, 'made', String(asides++)))
}

const { found, missing } = findPeers(flags.compare)
const notes = [...missing, ...(hasProc ? [] : ['CPU and memory: need /proc'])]
const model = await openModel()
const place = makePlace(model.url)
const measured = Object.fromEntries(found.map(({ name }) => [name, {}]))
const outside = []
let asides = 0
const broken = new Set()
const failures = new Map()

async function playTrial(trial, index, peer) {
  const why = trial.needs && peer.cannot[trial.needs]
  const key = `${peer.name} ${index}`
  if (why || broken.has(key)) return
  const once = (script, more) => play({ peer, place, model, script, ...more })
  try {
    for (const [name, value] of Object.entries(await trial.run(once, peer)))
      measured[peer.name][name] = [...(measured[peer.name][name] ?? []), value]
  } catch (error) {
    broken.add(key)
    const why = `${peer.name}: ${error.message}`
    failures.set(why, [...(failures.get(why) ?? []), trial.name])
  }
}

try {
  for (const peer of found) {
    notes.push(...Object.values(peer.cannot).map((why) => `${peer.name}: ${why}`))
    peer.prepare?.(place)
    // They keep compiled code, settings and the like while they wait for a first answer.
    await play({ peer, place, model, script: () => [], delayMs: 2500 }).catch(() => undefined)
  }
  const trials = trialsOf({ turns, files, work: place.work, putAside })
  for (let round = 0; round < rounds; round++) {
    if (round < Math.ceil(rounds / 2)) outside.push(makeFilesOutside(place.work))
    for (const [index, trial] of trials.entries())
      if (round < Math.ceil(rounds * trial.share)) for (const peer of found) await playTrial(trial, index, peer)
  }
} finally {
  model.close()
  rmSync(place.folder, { recursive: true, force: true })
}

const figures = Object.fromEntries(
  Object.entries(measured).map(([name, byKey]) => [
    name,
    Object.fromEntries(Object.entries(byKey).map(([key, values]) => [key, median(values)])),
  ]),
)
for (const own of Object.values(figures)) own.filesOutside = median(outside)
for (const [why, names] of failures) notes.push(`${why} (${names.join(', ')})`)
const versions = Object.fromEntries(found.map(({ name, version }) => [name, version]))
if (flags.json) {
  console.log(JSON.stringify({ node: process.version, rounds, turns, files, versions, figures, notes }, null, 2))
} else {
  console.log(showTable({ figures, versions, turns, files }))
  for (const note of notes) console.log(`– ${note}`)
  if (flags.figures) console.log(showFigures(figures['kode-run']))
}
if (notes.some((note) => note.startsWith('kode-run'))) process.exitCode = 1
