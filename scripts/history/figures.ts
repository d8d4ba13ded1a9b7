/** What a night's part counted, by what was counted: `{ 'as expected': 85, faults: 0 }`. */
export type Figures = Readonly<Record<string, number>>

const MORE_IS_BETTER = ['as expected', 'kills', 'lines', 'plays', 'rows', 'passed', 'lowest score']
const FEWER_IS_BETTER = ['otherwise', 'faults', 'violations', 'losses', 'failed', 'skipped']

/** What `npm run bench -- --figures` measures. Runners differ, so only what is far more is worse. */
const MEASURED = '(?:ms|MB|bytes) for [a-z]\\w*'
const isMeasured = (label: string) => new RegExp(`^${MEASURED}$`).test(label)
const FAR_MORE = 1.5

const LABELS = [...MORE_IS_BETTER, ...FEWER_IS_BETTER, MEASURED].join('|')
const COUNT = new RegExp(`(\\d+(?:\\.\\d+)?) (${LABELS})(?![\\w.-])`, 'g')
/** A row of the table of mutation scores. */
const SCORE = /\| *(\d+(?:\.\d+)?) % *\|$/
/** Whatever a part says before is about single rows. */
const LAST_LINES = 5

/** The figures at the end of a log: equal ones of its last lines are added up. Empty where it ends without any. */
export function figuresIn(log: string): Figures {
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const figures: Record<string, number> = {}
  for (const line of lines.slice(-LAST_LINES)) {
    for (const [, count, label = ''] of line.matchAll(COUNT)) figures[label] = (figures[label] ?? 0) + Number(count)
  }
  const scores = lines.flatMap((line) => SCORE.exec(line)?.slice(1).map(Number) ?? [])
  if (scores.length > 0) figures['lowest score'] = Math.min(...scores)
  return figures
}

/** The figures in a cell of the history. */
export function showFigures(figures: Figures): string {
  return Object.entries(figures)
    .map(([label, count]) => `${count} ${label}`)
    .join(', ')
}

/** What is worse than it was, as sentences. Without an earlier night only what is bad in itself. */
export function lossesOf(now: Figures, code: number, before: Figures | undefined): string[] {
  const changed = (labels: readonly string[], isWorse: (one: number, other: number) => boolean) =>
    labels.flatMap((label) => {
      const [old, fresh] = [before?.[label], now[label]]
      return old !== undefined && (fresh === undefined || isWorse(fresh, old))
        ? [`${label}: ${fresh ?? 'nothing'}, before ${old}`]
        : []
    })
  return [
    ...(code === 0 ? [] : [`it ended with ${code}`]),
    ...(Object.keys(now).length === 0 ? ['it ended without any figure'] : []),
    ...changed(MORE_IS_BETTER, (fresh, old) => fresh < old),
    ...changed(FEWER_IS_BETTER, (fresh, old) => fresh > old),
    ...changed(Object.keys(before ?? {}).filter(isMeasured), (fresh, old) => fresh > old * FAR_MORE),
  ]
}
