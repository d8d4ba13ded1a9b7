// Builds dist/: the command line and the library as ES modules, split so that heavy parts load when they are needed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
const ENCODINGS = deflateSync('{"symbol":{},"zapfdingbats":{},"win1252":{}}').toString('base64')
/** Modules that dependencies import and kode-run never uses, and what stands in their place. */
const LEFT_OUT = [
  // Of yargs only the parser is used. Its tables for the width of text cost 30 ms at each start.
  [/^string-width$/, 'export default (text) => text.length'],
  // It would read the package.json above the working directory for a version that nobody asks for: a pipe holds the start for ever.
  [/^escalade\/sync$/, 'export default () => undefined'],
  // Of @actions/core no token and no facts of the system are asked for, and its HTTP client has another undici.
  [/^@actions\/http-client(?:\/|$)/, 'export const HttpClient = undefined, BearerCredentialHandler = undefined'],
  [/^@actions\/exec$/, 'export const getExecOutput = undefined'],
  // Of the OAuth providers only the one with a secret is used, none with a key of the client.
  [/^jose$/, 'export default undefined'],
  // Of the PDF library only the part that copies pages is used: no SVG, no fonts. It unpacks its encodings when it is loaded.
  [/^node-html-better-parser$/, 'export const parse = undefined, NodeType = {}'],
  [/encodings\.compressed\.json$/, `export default ${JSON.stringify(ENCODINGS)}`],
  [/\.compressed\.json$/, 'export default ""'],
]
const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    const contentsOf = (path) => LEFT_OUT.find(([filter]) => filter.test(path))?.[1]
    onResolve({ filter: /.*/ }, ({ path }) =>
      contentsOf(path) === undefined ? undefined : { path, namespace: 'lean' },
    )
    onLoad({ filter: /.*/, namespace: 'lean' }, ({ path }) => ({ contents: contentsOf(path) }))
  },
}
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/entry/cli.ts', 'src/entry/index.ts', 'src/entry/action.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  // A binary of its own package: found at run time.
  external: ['@vscode/ripgrep'],
  plugins: [lean],
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  legalComments: 'none',
  // Names stay, for stacks that can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
})
const list = process.argv.find((word) => word.startsWith('--list-bundled='))?.slice('--list-bundled='.length)
if (list === undefined) {
  putInPlace(outputFiles)
  removeOldChunks(new Set(Object.keys(metafile.outputs)))
  console.log(`built kode-run ${version}`)
} else writeFileSync(list, JSON.stringify(bundledPackages(metafile)))

/** The folders of the packages whose code is in the output. */
function bundledPackages({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  const folders = inputs.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted()
}

/** Each file at once, the entry points after all that they load: another process may be starting them. */
function putInPlace(files) {
  const isChunk = ({ path }) => path.includes('/chunks/')
  for (const file of [...files.filter(isChunk), ...files.filter((each) => !isChunk(each))]) {
    mkdirSync(dirname(file.path), { recursive: true })
    const temporary = `${file.path}.${process.pid}`
    writeFileSync(temporary, file.contents, { mode: file.path.endsWith('/cli.js') ? 0o755 : 0o644 })
    renameSync(temporary, file.path)
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
