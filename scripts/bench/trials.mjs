import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Lines of the file that is read: `line-1-7`, … The model asks for each once. */
export const lineOf = (number) => `line-${number}-${number * 7}`
export const FILE = 'file.txt'

/** What only the shell can know. */
const shell = (number, before = '') => ({
  kind: 'shell',
  line: `${before}echo said-$((${number} * 7))`,
  says: `said-${number * 7}`,
})
const eight = (make) => Array.from({ length: 8 }, (_, index) => make(index + 100))

/** `seq` to here prints 10 MB. The model gets its beginning or its end. */
const LAST = 1_388_888
const OUTPUT = /[^0-9]20\\n21\\n22\\n|1388886\\n1388887\\n/

/**
 * What is played, in this order in each round: `run(play, peer)` gives figures by their key. `play(script, more)` plays one run.
 * `putAside` takes a folder away. `share` of the rounds play it. A peer that lacks a tool in `needs` does not play it.
 */
export function trialsOf({ turns, files, work, putAside }) {
  const read = (number) => ({ kind: 'read', file: join(work, FILE), offset: number, says: lineOf(number) })
  const wide = Math.max(1, Math.min(50, Math.floor(turns / 4)))
  const early = Math.min(10, wide)
  const inMemory = Math.min(200, turns)
  // The first command also makes ready what later ones share.
  const second = (calls) => (turn) => [[shell(1)], calls][turn - 1] ?? []
  return [
    {
      name: 'one answer',
      share: 1,
      run: async (play) => {
        const { wall, cpuOfAll, toFirst, exit, memory } = await play(() => [])
        return { wall, cpu: cpuOfAll, toFirst, exit, memoryOne: memory[1] }
      },
    },
    {
      name: 'messages',
      share: 1 / 2,
      run: async (play, peer) => {
        const messages = [
          [shell(1)],
          eight((number) => shell(number, 'sleep 0.2; ')),
          ...(peer.calls.read ? [eight(read)] : []),
          ...Array.from({ length: 12 }, (_, index) => [shell(index + 2)]),
        ]
        const { toTurn } = await play((turn) => messages[turn - 1] ?? [])
        return {
          eightShells: toTurn[3],
          ...(peer.calls.read && { eightReads: toTurn[4] }),
          shellTurn: median(toTurn.slice(5)),
        }
      },
    },
    {
      name: '8 MCP calls',
      share: 1 / 2,
      needs: 'mcp',
      run: async (play) => {
        const calls = eight((number) => ({ kind: 'mcp', number, says: `waited ${number * 7}` }))
        // By then each has started its servers.
        const script = (turn) => [[shell(1, 'sleep 2; ')], calls][turn - 1] ?? []
        return { eightMcp: (await play(script, { hasServer: true })).toTurn[3] }
      },
    },
    {
      name: '10 MB',
      share: 1 / 2,
      run: async (play) => {
        const { toTurn, grown } = await play(second([{ kind: 'shell', line: `seq ${LAST}`, says: OUTPUT }]))
        return { output: toTurn[3], outputBytes: grown[3] }
      },
    },
    {
      name: 'new files',
      share: 1 / 2,
      run: async (play) => {
        const folder = join(work, 'new')
        if (existsSync(folder)) putAside(folder)
        const { toTurn } = await play(second([{ kind: 'shell', line: newFiles(files), says: `made ${files}.` }]))
        const made = readdirSync(folder).length
        putAside(folder)
        if (made !== files) throw new Error(`it left ${made} of ${files} files`)
        return { files: toTurn[3] }
      },
    },
    {
      name: 'long run',
      share: 1 / 5,
      run: async (play, peer) => {
        const call = peer.calls.read ? read : shell
        const watch = [early, early + wide, inMemory, turns + 1 - wide, turns + 1]
        const { toTurn, cpu, memory } = await play((turn) => (turn <= turns ? [call(turn)] : []), { watch })
        const cpuPerTurn = (from, to) => (cpu[to] === undefined ? undefined : (cpu[to] - cpu[from]) / (to - from))
        return {
          memoryLong: memory[inMemory],
          ...(peer.calls.read && { readTurn: median(toTurn.slice(3, inMemory + 1)) }),
          cpuEarly: cpuPerTurn(early, early + wide),
          cpuLate: cpuPerTurn(turns + 1 - wide, turns + 1),
        }
      },
    },
  ]
}

/** A shell line that makes as many files; with nobody around it, it is what `outside` measures. */
export const newFiles = (files) =>
  `mkdir new && for i in $(seq ${files}); do echo $i > new/$i; done; echo "made $(ls new | wc -l)."`

/** Of numbers; undefined where there are none. */
export function median(values) {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  return known[Math.floor(known.length / 2)]
}
