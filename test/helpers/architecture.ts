import { posix } from 'node:path'

/** A source file: its path from the root (`src/query.ts`) and its text. */
export type SourceFile = { readonly path: string; readonly text: string }

/** Floors from below, as `src/README.md` names them; a file imports its own module or a lower floor. */
const FLOORS: readonly (readonly [name: string, modules: RegExp])[] = [
  ['types', /^contracts$/],
  ['helpers', /^lib$/],
  ['repositories', /^git$/],
  ['known programs', /^shell\/programs$/],
  ['machine', /^(shell|sandbox|files|Tool)$/],
  ['changes', /^effects$/],
  ['parts', /^(config|policy|model|context|hooks|mcp|tools\/\w+|report|github)$/],
  ['decision', /^(permissions|tools)$/],
  ['calls', /^query\/runTools$/],
  ['loop', /^query$/],
  ['runs', /^(commands|run)$/],
  ['doors', /^entry$/],
]

/** Which module may use a package; `zod` stands wherever a boundary is. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  ...{ '@anthropic-ai/sdk': ['model'], 'zod-to-json-schema': ['model'], '@modelcontextprotocol/sdk': ['mcp'] },
  ...{ yargs: ['config'], yaml: ['policy', 'config', 'model', 'context', 'commands'], 'smol-toml': ['commands'] },
  ...{ '@actions/core': ['github', 'entry'], execa: ['lib'], unbash: ['shell'] },
  ...{ minimatch: ['lib', 'policy', 'tools', 'mcp', 'commands'], ignore: ['lib', 'files', 'tools', 'effects'] },
  ...{ diff: ['files'], re2js: ['lib'], '@cantoo/pdf-lib': ['tools'], micromark: ['report'] },
  ...{ 'micromark-extension-gfm-table': ['report'], htmlparser2: ['tools'], 'ipaddr.js': ['lib'] },
  ...{ undici: ['lib', 'model'], ajv: ['run'], '@vscode/ripgrep': ['tools'] },
}

/** What of `process` stands for the machine, not for the process itself. */
const FREE_OF_PROCESS =
  /\bprocess\.(?!kill\b|platform\b|hrtime\b|memoryUsage\b|version\b|versions\b|arch\b|getuid\b|getgid\b|pid\b|emitWarning\b)\w+/g

/** What a user starts or imports. */
const ENTRY_POINTS = ['src/entry/cli.ts', 'src/entry/action.ts', 'src/entry/index.ts']

/** Started as a process of its own. */
const CHILD_ENTRY_POINTS = ['src/sandbox/network/openNetworkNamespace.ts']

/** Folders of a module that are modules themselves. */
const INNER_MODULES = ['shell/programs', 'query/runTools']

/** The module of a file: its folder, an inner module, a tool's folder, or a top file with the folder of its name. */
export function moduleOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  const inner = `${first}/${second}`
  if (INNER_MODULES.includes(inner) || (first === 'tools' && second !== '')) return inner
  return first.replace(/\.ts$/, '')
}

function floorOf(module: string): number {
  const floor = FLOORS.findIndex(([, modules]) => modules.test(module))
  return floor === -1 ? Number.NaN : floor
}

/** The imports of a file, relative ones as paths from the root. */
export function importsOf({ path, text }: SourceFile): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|\bimport\(\s*'([^']+)'|(?:^|\n)import\s+'([^']+)'/g,
  )
  return [...found]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
}

/** A file imports its own module or a lower floor, never the same floor, never higher. */
export function checkArrows(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const own = moduleOf(file.path)
    if (Number.isNaN(floorOf(own))) return [`${file.path}: the module ${own} has no floor`]
    return importsOf(file)
      .filter((name) => name.startsWith('src/'))
      .filter((name) => moduleOf(name) !== own && !(floorOf(moduleOf(name)) < floorOf(own)))
      .map((name) => `${file.path} imports ${name}: not below it`)
  })
}

/** Every package has its modules. */
export function checkPackages(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap((name) => {
      if (name.startsWith('src/') || name.startsWith('node:') || name === 'zod') return []
      const packageName = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? '')
      const modules = PACKAGES[packageName]
      if (modules === undefined) return [`${file.path} imports ${packageName}, which has no module`]
      return modules.some((module) => moduleOf(file.path) === module || moduleOf(file.path).startsWith(`${module}/`))
        ? []
        : [`${file.path} imports ${packageName}, which belongs to ${modules.join(', ')}`]
    }),
  )
}

/** Only entry points touch the process. */
export function checkEntryPoints(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => moduleOf(file.path) !== 'entry' && !CHILD_ENTRY_POINTS.includes(file.path))
    .flatMap((file) =>
      [...withoutComments(file.text).matchAll(FREE_OF_PROCESS)].map(
        (match) => `${file.path} uses ${match[0]}: only entry points may`,
      ),
    )
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

/** A tool folder that is not in tools.ts is never offered. */
export function checkTools(files: readonly SourceFile[]): string[] {
  const registry = files.find((file) => file.path === 'src/tools.ts')?.text ?? ''
  const folders = new Set(files.map((file) => moduleOf(file.path)).filter((module) => module.startsWith('tools/')))
  return [...folders]
    .map((module) => module.slice('tools/'.length))
    .flatMap((name) => {
      if (!files.some((file) => file.path === `src/tools/${name}/${name}.ts`))
        return [`src/tools/${name} has no ${name}.ts`]
      return new RegExp(`^  ${name},$`, 'm').test(registry)
        ? []
        : [`src/tools/${name} is not registered in src/tools.ts`]
    })
}

/** The most entries that a reader takes in at one look. */
const MAX_ENTRIES = 25

/** No folder but `src/tools`, the list of the tools, holds more than 25 files and folders. */
export function checkFolders(files: readonly SourceFile[]): string[] {
  const entries = new Map<string, Set<string>>()
  for (const { path } of files) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/')
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth] ?? ''))
    }
  }
  return [...entries]
    .filter(([folder, names]) => folder !== 'src/tools' && names.size > MAX_ENTRIES)
    .map(([folder, names]) => `${folder} lists ${names.size} entries: ${MAX_ENTRIES} at most`)
}

/** Every module stands in src/README.md. */
export function checkMap(files: readonly SourceFile[], map: string): string[] {
  const modules = new Set(files.map((file) => moduleOf(file.path).replace(/\/.*/, '')))
  return [...modules]
    .filter((module) => !map.includes(`\`${module}`))
    .map((module) => `src/README.md does not name ${module}`)
}

/** No default exports, no barrels but the library's own, no file above 250 lines, each named after one of its exports. */
export function checkFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const name = path.split('/').at(-1)?.replace(/\.ts$/, '') ?? ''
    const problems: string[] = []
    if (/^export default\b/m.test(text)) problems.push(`${path} has a default export`)
    if (/^export \* from/m.test(text) && path !== 'src/entry/index.ts') problems.push(`${path} is a barrel`)
    const lines = text.split('\n').length
    if (lines > 250) problems.push(`${path} has ${lines} lines`)
    return problems.concat(isNamedAfterExport(path, name, text) ? [] : [`${path} exports nothing called ${name}`])
  })
}

/** A file with one exported value is named after it (`channel.ts` for `createChannel` too), or after its main type. */
function isNamedAfterExport(path: string, name: string, text: string): boolean {
  if (moduleOf(path) === 'contracts' || ENTRY_POINTS.includes(path)) return true
  const exported = [...text.matchAll(/^export (?:async )?(function\*?|const|class|type|interface) (\w+)/gm)]
  const values = exported.filter(([, kind]) => kind !== 'type' && kind !== 'interface')
  return values.length !== 1 || exported.some(([, , word = '']) => word.toLowerCase().endsWith(name.toLowerCase()))
}

/** Files that reach themselves by imports of values. */
export function checkCycles(files: readonly SourceFile[]): string[] {
  const graph = new Map(files.map((file) => [file.path, importsOf({ ...file, text: withoutTypeImports(file.text) })]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    else if (!done.has(path)) {
      for (const next of graph.get(path) ?? []) if (graph.has(next)) visit(next, [...trail, path])
      done.add(path)
    }
  }
  for (const path of graph.keys()) visit(path, [])
  return cycles
}

function withoutTypeImports(text: string): string {
  return text.replace(/(^|\n)(import|export) type\b[^'"`;]*?from\s*'[^']+'/g, '$1')
}
