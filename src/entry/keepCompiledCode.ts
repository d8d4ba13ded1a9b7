import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

/** Small files compile faster than their compiled code is read. */
const LARGE = 100_000

/** Compiled code is kept once the start is over: a run waits for its first answer by then. It takes 60 ms. */
const LATER_MS = 1500

/**
 * Keeps compiled code between runs, in the state folder of this user, which no command may write. Where that is not
 * possible, the start takes 200 ms longer. It must be on before anything large loads, so it imports nothing of ours: the build
 * puts a shared module into the large file of the start.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => void }
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return
  const folder = codeFolder()
  if (folder === undefined) return
  // Node 22 and later do it themselves.
  if (enableCompileCache !== undefined) enableCompileCache(folder)
  else keepLargeScripts(folder)
}

/** Undefined if somebody else could have put files there. */
function codeFolder(): string | undefined {
  const { RUNNER_TEMP, XDG_STATE_HOME } = process.env
  try {
    const state = RUNNER_TEMP || XDG_STATE_HOME || join(homedir(), '.local', 'state')
    if (!isAbsolute(state)) return undefined
    const own = join(state, 'kode-run')
    const code = join(own, 'compiled')
    makeFolder(code)
    return [own, code].every(isOurs) ? code : undefined
  } catch {
    return undefined
  }
}

/** As that of `lib`, which is not loaded yet. Node's own `recursive` never returns where nothing can be made: in `/proc`. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

function isOurs(folder: string): boolean {
  const { uid, mode } = statSync(folder)
  return uid === process.getuid?.() && (mode & 0o022) === 0
}

type Compile = (this: NodeJS.Module, code: string, file: string, ...rest: unknown[]) => unknown

/** V8 compares version, flags and length of the source itself. It does not notice damage, so the data begins with their hash. */
function keepLargeScripts(folder: string): void {
  const { prototype } = nodeModule as unknown as { readonly prototype: { _compile: Compile } }
  const compile = prototype._compile
  const uncached = new Map<string, Script>()
  prototype._compile = function (code, file, ...rest) {
    if (dirname(file) !== __dirname || code.length < LARGE) return compile.call(this, code, file, ...rest)
    const path = join(folder, `${basename(file)}-${process.version}-${process.arch}`)
    const cachedData = readSound(path)
    const source = `(function(exports,require,module,__filename,__dirname){${code}\n})`
    const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected === true) uncached.set(path, script)
    return script.runInThisContext().call(this.exports, this.exports, createRequire(file), this, file, dirname(file))
  }
  setTimeout(() => void save(folder, uncached), LATER_MS).unref()
}

function readSound(path: string): Buffer | undefined {
  try {
    const data = readFileSync(path)
    const code = data.subarray(HASH_BYTES)
    return hashOf(code).equals(data.subarray(0, HASH_BYTES)) ? code : undefined
  } catch {
    return undefined
  }
}

const HASH_BYTES = 20
const hashOf = (data: Buffer): Buffer => createHash('sha1').update(data).digest()

/** Compiled code of versions that nobody has started for a month. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > MONTH_MS) rmSync(path, { recursive: true, force: true })
  }
}

const MONTH_MS = 30 * 24 * 3600 * 1000

/** With the flags of a start: V8 refuses code that was compiled under others. */
async function save(folder: string, scripts: ReadonlyMap<string, Script>): Promise<void> {
  if (scripts.size === 0) return
  const { V8_FLAGS } = await import('./openProcessIo.ts')
  setFlagsFromString(V8_FLAGS.usual)
  try {
    for (const [path, script] of scripts) {
      const code = script.createCachedData()
      const temporary = `${path}.${process.pid}`
      writeFileSync(temporary, Buffer.concat([hashOf(code), code]), { mode: 0o600 })
      renameSync(temporary, path)
    }
    removeOld(folder)
  } catch {
    // A full disk: the next start compiles again.
  } finally {
    setFlagsFromString(V8_FLAGS.small)
  }
}
