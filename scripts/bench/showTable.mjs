const ms = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const bytes = (value) => String(value)

/** A row has one or two figures by their key. */
const rowsOf = ({ turns, files }) => [
  ['one answer, wall / CPU (ms)', ['wall', ms], ['cpu', ms]],
  ['to first request (ms)', ['toFirst', ms]],
  ['last answer to exit (ms)', ['exit', ms]],
  [`memory, one answer / ${Math.min(200, turns)} turns (MB)`, ['memoryOne', ms], ['memoryLong', ms]],
  ['a shell turn / a read turn (ms)', ['shellTurn', ms], ['readTurn', ms]],
  ['8 × `sleep 0.2; echo` in one message (ms)', ['eightShells', ms]],
  ['8 × slow MCP call / 8 reads (ms)', ['eightMcp', ms], ['eightReads', ms]],
  ['10 MB of output: ms, bytes to the model', ['output', ms], ['outputBytes', bytes]],
  [`${files.toLocaleString('en')} new files in a view / outside (ms)`, ['files', ms], ['filesOutside', ms]],
  [
    `CPU of turn ${Math.max(1, Math.min(10, Math.floor(turns / 4)))} / of turn ${turns.toLocaleString('en')} (ms)`,
    ['cpuEarly', ms],
    ['cpuLate', ms],
  ],
]

/** As Markdown. A figure that is not there is `–`; beside the others, how often claude's it is. */
export function showTable({ figures, versions, turns, files }) {
  const names = Object.keys(figures)
  const cell = (name, [key, show]) => {
    const value = figures[name][key]
    if (value === undefined) return '–'
    const base = figures.claude?.[key]
    const isCompared = base > 0 && name !== 'claude' && key !== 'filesOutside'
    return `${show(value)}${isCompared ? ` (${(value / base).toFixed(2)}×)` : ''}`
  }
  const lines = [
    ['', ...names.map((name) => `${name} ${versions[name]}`)],
    ...rowsOf({ turns, files }).map(([label, ...of]) => [
      label,
      ...names.map((name) => of.map((one) => cell(name, one)).join(' / ')),
    ]),
  ]
  const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)))
  const show = (line) => `| ${line.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`
  return [show(lines[0]), show(widths.map((width) => '-'.repeat(width))), ...lines.slice(1).map(show)].join('\n')
}

/** Those of one agent as the history keeps them. What the shell takes alone is none of them. */
export function showFigures(figures) {
  const unitOf = (key) => (key.startsWith('memory') ? 'MB' : key.endsWith('Bytes') ? 'bytes' : 'ms')
  const own = Object.entries(figures).filter(([key, value]) => value !== undefined && key !== 'filesOutside')
  return own.map(([key, value]) => `${Number(value.toFixed(1))} ${unitOf(key)} for ${key}`).join(', ')
}
