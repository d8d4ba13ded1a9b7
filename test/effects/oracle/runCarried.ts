import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '../../helpers/policy/shellProject.ts'
import { removeAll } from '../corpus/playEffectRow.ts'
import { differences, treeState } from '../corpus/treeState.ts'
import { LINE_ENVIRONMENT, type OracleRules, openOracle } from './openOracle.ts'
import { copyTree, judgeChanges, shownReport } from './runEffectOracle.ts'

type CarriedRow = {
  readonly text: string
  readonly files: number
  readonly edit?: readonly string[]
  readonly secret?: readonly string[]
}
type CarriedFiles = { readonly set: number; readonly files: Readonly<Record<string, string>> }

export type CarriedReport = { readonly rows: number; readonly undone: number; readonly violations: readonly string[] }

/**
 * The lines that once had to be read to know which files they change: any of them may start, and what it changes is judged. `every`:
 * only each so-many-th.
 */
export async function runCarried({
  every = 1,
  onFound,
}: {
  every?: number
  onFound?: (text: string) => void
} = {}): Promise<CarriedReport> {
  const lines = readFileSync(join(import.meta.dirname, '../corpus/carried.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
  const all = lines.map((line) => JSON.parse(line) as CarriedRow | CarriedFiles)
  const sets = all.filter((one): one is CarriedFiles => 'set' in one)
  const rows = all.filter((one): one is CarriedRow => 'text' in one).filter((_, index) => index % every === 0)
  const violations: string[] = []
  let undone = 0
  for (const row of rows) {
    const { wrong, isUndone, shown } = await playCarried(row, sets[row.files]?.files ?? {})
    if (isUndone) undone++
    if (wrong.length === 0) continue
    const text = `VIOLATION ${wrong.join('; ')}\n    ${row.text}\n    edit ${row.edit}, secret ${row.secret}\n    ${shown}`
    violations.push(text)
    onFound?.(text)
  }
  return { rows: rows.length, undone, violations }
}

async function playCarried(row: CarriedRow, files: CarriedFiles['files']) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-carried-')))
  const project = join(base, 'project')
  try {
    mkdirSync(join(project, 'home'), { recursive: true })
    for (const [name, content] of Object.entries(files)) put(project, name, content)
    const hasGit = '.git!' in files
    if (hasGit) execFileSync('bash', ['-c', REPOSITORY], { cwd: project, stdio: 'ignore', env: LINE_ENVIRONMENT })
    const still = join(base, 'still')
    copyTree(project, still)
    const oracle = await openOracle(
      base,
      project,
      (row.secret ?? []).map((path) => join(project, path)),
    )
    const rules: OracleRules = { allow: (row.edit ?? []).map(below), deny: (row.secret ?? []).map(below) }
    const before = treeState(project)
    const report = await oracle.run(row.text, rules, true)
    const printed = oracle.printed()
    const after = treeState(project)
    await oracle.close()
    const changes = differences(before, after)
    const wrong = judgeChanges({ project, still, changes, before, after, rules, mayChangeGit: true, report })
    // Git's objects hold what was committed, whatever is hidden in the work tree.
    const mayShow = row.secret === undefined || hasGit || row.text.includes('S3CRET')
    if (!mayShow && printed.includes('S3CRET')) wrong.push(`shown: ${printed.slice(0, 200)}`)
    return {
      wrong,
      isUndone: typeof report !== 'string' && report.undone.length > 0,
      shown: shownReport(report, project),
    }
  } finally {
    removeAll(base)
  }
}

/** `x->` is a link; a content that starts with `#!` is a program. */
function put(root: string, name: string, content: string): void {
  if (name === '.git!') return
  const path = join(root, name.replace(/->$/, ''))
  mkdirSync(dirname(path), { recursive: true })
  if (name.endsWith('->')) symlinkSync(content, path)
  else writeFileSync(path, content.replaceAll('ROOT', root))
  if (content.startsWith('#!')) chmodSync(path, 0o755)
}

function below(folder: string): RegExp {
  return folder === '.' ? /^/ : new RegExp(`^${folder.replaceAll('.', '\\.')}(?:/|$)`)
}
