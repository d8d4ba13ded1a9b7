// Builds dist/: the command line and the library as ES modules, split so that heavy parts load when they are needed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
// Of yargs only the parser is used. Its tables for the width of text cost 30 ms at each start, and it would read the
// package.json above the working directory for a version that nobody asks for: a pipe in its place holds the start for ever.
const leanYargs = {
  name: 'lean-yargs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:string-width|escalade\/sync)$/ }, ({ path }) => ({ path, namespace: 'lean-yargs' }))
    onLoad({ filter: /width/, namespace: 'lean-yargs' }, () => ({ contents: 'export default (text) => text.length' }))
    onLoad({ filter: /escalade/, namespace: 'lean-yargs' }, () => ({ contents: 'export default () => undefined' }))
  },
}
// Of the PDF library only the part that copies pages is used: no fonts, no SVG. It unpacks its encodings when it is loaded.
const ENCODINGS = deflateSync('{"symbol":{},"zapfdingbats":{},"win1252":{}}').toString('base64')
const leanPdf = {
  name: 'lean-pdf',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node-html-better-parser$/ }, ({ path }) => ({ path, namespace: 'lean-pdf' }))
    onLoad({ filter: /.*/, namespace: 'lean-pdf' }, () => ({
      contents: 'export const parse = undefined, NodeType = {}',
    }))
    onLoad({ filter: /standard-fonts.*\.compressed\.json$/ }, ({ path }) => ({
      contents: `export default ${JSON.stringify(path.includes('encodings') ? ENCODINGS : '')}`,
    }))
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
  plugins: [leanYargs, leanPdf],
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
putInPlace(outputFiles)
removeOldChunks(new Set(Object.keys(metafile.outputs)))
console.log(`built kode-run ${version}`)

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

/** Chunks of earlier builds; one that a process may still load is left for a while. */
function removeOldChunks(made) {
  mkdirSync(`${root}/dist/chunks`, { recursive: true })
  for (const name of readdirSync(`${root}/dist/chunks`)) {
    const path = `${root}/dist/chunks/${name}`
    const isOld = Date.now() - statSync(path).mtimeMs > 10 * 60_000
    if (isOld && !made.has(`dist/chunks/${name}`)) rmSync(path, { force: true })
  }
}
