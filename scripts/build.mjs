// Builds dist/: the command line and the library in chunks, split so that heavy parts load when they are needed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
const ENCODINGS = deflateSync('{"symbol":{},"zapfdingbats":{},"win1252":{}}').toString('base64')
/** Modules that dependencies import and kode-run never uses, and what stands in their place. */
const LEFT_OUT = [
  // Of yargs only the parser is used. Its tables for the width of text cost 30 ms at each start.
  [/^string-width$/, 'export default (text) => text.length'],
  // kode-run has a completion of its own.
  [
    /\/completion-templates\.js$/,
    "export const completionShTemplate = '', completionZshTemplate = '', completionFishTemplate = ''",
  ],
  // It would read the package.json above the working directory for a version that nobody asks for: a pipe holds the start for ever.
  [/^escalade\/sync$/, 'export default () => undefined'],
  // Of @actions/core no token and no facts of the system are asked for, and its HTTP client has another undici.
  [/^@actions\/http-client(?:\/|$)/, 'export const HttpClient = undefined, BearerCredentialHandler = undefined'],
  [/^@actions\/exec$/, 'export const getExecOutput = undefined'],
  // Of the PDF library only the part that copies pages is used: no SVG, no fonts. It unpacks its encodings when it is loaded.
  [/^node-html-better-parser$/, 'export const parse = undefined, NodeType = {}'],
  [/encodings\.compressed\.json$/, `export default ${JSON.stringify(ENCODINGS)}`],
  [/\.compressed\.json$/, 'export default ""'],
]
const contentsOf = (path) => LEFT_OUT.find(([filter]) => filter.test(path))?.[1]
const lean = {
  name: 'lean',
  resolveId: (path) => (contentsOf(path) === undefined ? undefined : `\0lean:${path}`),
  load: (id) => (id.startsWith('\0lean:') ? { code: contentsOf(id.slice(6)), moduleType: 'js' } : undefined),
}
/** What every start loads, and what every run loads, each as one file: to find and link a hundred files takes longer than to run them. */
const groups = [
  { name: 'start', modules: ['src/entry/start.ts'], priority: 2 },
  { name: 'run', modules: ['src/entry/runFromCli.ts', 'src/model/createMessages.ts'], priority: 1 },
].map(({ modules, ...group }) => {
  const paths = new Set(modules.map((path) => join(root, path)))
  return { ...group, test: (id) => paths.has(id) }
})
const bundle = await rolldown({
  cwd: root,
  input: { cli: 'src/entry/cli.ts', index: 'src/entry/index.ts', action: 'src/entry/action.ts' },
  platform: 'node',
  // A binary of its own package: found at run time.
  external: ['@vscode/ripgrep'],
  plugins: [lean],
  // CommonJS: Node 20 takes compiled code from an earlier run only for scripts.
  transform: { target: 'node20.19', define: { 'import.meta.dirname': '__dirname' } },
  // yargs asks for `import.meta.resolve` where a file extends another one: ours do not.
  checks: { ineffectiveDynamicImport: false, emptyImportMeta: false },
})
const { output } = await bundle.generate({
  format: 'cjs',
  entryFileNames: 'chunks/[name]-[hash].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  codeSplitting: { groups },
  comments: { legal: false, annotation: false, jsdoc: false },
  // Names stay, for stacks that can be read.
  minify: { compress: { target: 'node20.19' }, mangle: false, codegen: { removeWhitespace: true } },
})
const files = new Set(output.map(({ fileName }) => fileName))
for (const { fileName, dynamicImports } of output) {
  // On Node 20 a script whose compiled code is kept has no `import()`; that of our own chunks is a `require`.
  const foreign = dynamicImports.filter((name) => !files.has(name) && !name.startsWith('node:'))
  if (foreign.length > 0) throw new Error(`${fileName} has import('${foreign[0]}'): load it by createRequire`)
}
const list = process.argv.find((word) => word.startsWith('--list-bundled='))?.slice('--list-bundled='.length)
if (list === undefined) {
  putInPlace([
    ...output.map(({ fileName, code }) => ({ path: `dist/${fileName}`, contents: asAscii(code) })),
    ...doors(),
  ])
  removeOldChunks(new Set(output.map(({ fileName }) => `dist/${fileName}`)))
  console.log(`built kode-run ${version}`)
} else writeFileSync(list, JSON.stringify(bundledPackages()))

/** The files that others name, as ES modules: a package of type `module` has them, and users import names from them. */
function doors() {
  return output
    .filter(({ isEntry }) => isEntry)
    .map(({ name, fileName, exports }) => {
      const shebang = name === 'cli' ? '#!/usr/bin/env node\n' : ''
      const names = exports.length === 0 ? '' : `export const { ${exports.join(', ')} } = `
      const load = `createRequire(import.meta.url)('./${fileName}')`
      const contents = `${shebang}import { createRequire } from 'node:module'\n${names}${load}\n`
      return { path: `dist/${name}.js`, contents }
    })
}

/** V8 keeps text of one byte a character in half of the memory. Escapes stand for themselves in strings, patterns and templates. */
function asAscii(code) {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The folders of the packages whose code is in the output. */
function bundledPackages() {
  const inputs = output.flatMap(({ modules }) => Object.entries(modules))
  const used = inputs.flatMap(([path, { renderedLength }]) => (renderedLength > 0 ? [path] : []))
  const folders = used.map((path) => /^(?:\0[^/]*)?.*?(node_modules\/.*)$/.exec(path)?.[1])
  const packages = folders.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path ?? '')?.[1])
  return [...new Set(packages.filter((folder) => folder !== undefined))].toSorted()
}

/** Each file at once, the doors after all that they load: another process may be starting them. */
function putInPlace(files) {
  for (const { path, contents } of files) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, contents, { mode: path === 'dist/cli.js' ? 0o755 : 0o644 })
    renameSync(temporary, file)
  }
}

/** Chunks of earlier builds. One that a process may still load is left for a while, but never goes into a package. */
function removeOldChunks(made) {
  mkdirSync(`${root}/dist/chunks`, { recursive: true })
  for (const name of readdirSync(`${root}/dist/chunks`)) {
    const path = `${root}/dist/chunks/${name}`
    const isOld = process.argv.includes('--package') || Date.now() - statSync(path).mtimeMs > 10 * 60_000
    if (isOld && !made.has(`dist/chunks/${name}`)) rmSync(path, { force: true })
  }
}
