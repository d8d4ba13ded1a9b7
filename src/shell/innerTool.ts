import type { Word } from '../contracts/subject.ts'
import { npxWords } from './npxWords.ts'
import { pythonModule } from './pythonModule.ts'

/** What runs the tool that follows one of these words. */
const LAUNCHERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    bundle: ['exec'],
    bunx: [],
    hatch: ['run'],
    npm: ['exec', 'x'],
    pdm: ['run'],
    pipenv: ['run'],
    pipx: ['run'],
    pnpm: ['exec', 'dlx', ''],
    poetry: ['run'],
    rye: ['run'],
    uv: ['run'],
    uvx: [],
    yarn: ['exec', 'dlx', 'run', ''],
  }),
)

/** What gets the words behind `--`. */
const BEHIND_DASHES: ReadonlyMap<string, string> = new Map([
  ['cmake', 'make'],
  ['clang-tidy', 'clang'],
])
const BEHIND_CARGO: ReadonlyMap<string, string> = new Map([
  ['clippy', 'rustc'],
  ['fmt', 'rustfmt'],
  ['rustc', 'rustc'],
  ['rustdoc', 'rustdoc'],
])

/**
 * The tool with its own words, where a command starts it by its name: `npx eslint .`, `python3 -m mypy .`, `uv run ruff`; what
 * `cmake --build` hands on goes to make, what clang-tidy does to the compiler.
 */
export function innerTool(name: string, argv: readonly Word[]): readonly Word[] | undefined {
  if (name === 'npx') {
    const own = npxWords(argv)
    return own.length < argv.length ? argv.slice(own.length - 1) : undefined
  }
  if (/^python[\d.]*$/.test(name)) {
    const found = pythonModule(argv)
    return found && [{ kind: 'literal', value: found.module }, ...argv.slice(found.start)]
  }
  if (name === 'coverage') {
    const found = pythonModule(argv)
    return found && /^(?:pytest|py\.test)$/.test(found.module)
      ? [{ kind: 'literal', value: 'pytest' }, ...argv.slice(found.start)]
      : undefined
  }
  const behind = name === 'cargo' ? behindCargo(argv) : BEHIND_DASHES.get(name)
  if (behind !== undefined) {
    const end = argv.findIndex((word) => word.kind === 'literal' && word.value === '--')
    return end < 0 ? undefined : [{ kind: 'literal', value: behind }, ...argv.slice(end + 1)]
  }
  const starts: readonly string[] | undefined = LAUNCHERS.get(name)
  if (starts === undefined) return undefined
  const at = nextName(argv, 1)
  if (at < 0) return undefined
  const first = argv[at]?.kind === 'literal' ? argv[at].value : ''
  if (!starts.includes(first)) return starts.length === 0 || starts.includes('') ? argv.slice(at) : undefined
  const tool = nextName(argv, at + 1)
  return tool < 0 ? undefined : argv.slice(tool)
}

function behindCargo(argv: readonly Word[]): string | undefined {
  const values = argv.map((word) => (word.kind === 'literal' ? word.value : ''))
  const testing = values.findIndex((value) => /^(?:test|t|bench|run|r|nextest)$/.test(value))
  const found = values.findIndex((value) => BEHIND_CARGO.has(value))
  return testing >= 0 && testing < found ? undefined : BEHIND_CARGO.get(values[found] ?? '')
}

/** Where the next word stands that is no option. */
function nextName(argv: readonly Word[], start: number): number {
  return argv.findIndex((word, index) => index >= start && word.kind === 'literal' && !word.value.startsWith('-'))
}
