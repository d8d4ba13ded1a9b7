import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { RunError } from '../../contracts/errors.ts'
import { orElse } from '../orElse.ts'
import { isWithin } from './isWithin.ts'

/** Where optional packages may be, and where they must not be. */
export type PackagePlaces = {
  /** `PATH` leads to the global folder of Node; `NODE_PATH` names further folders. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absolute, resolved: no code in these is ever loaded. */
  readonly checkout: readonly string[]
}

/**
 * An optional package, with a `require` for what it itself depends on. `Exports`: what the caller uses of it; a package
 * that may be missing has no types here. From beside kode-run, from the global folder of the Node on `PATH`, or from
 * `NODE_PATH`; never from the checkout. Throws `RunError('config')` with the command that installs it; `what` needs it.
 */
export function loadPackage<Exports>(name: string, what: string, { environment, checkout }: PackagePlaces) {
  let refused: string | undefined
  for (const folder of startsOf(environment)) {
    const own = createRequire(join(folder, 'index.js'))
    const file = orElse(undefined, () => own.resolve(name))
    if (file === undefined) continue
    const real = realpathSync(file)
    if (checkout.some((root) => isWithin(real, root))) refused = real
    else return { exports: own(file) as Exports, version: versionOf(real, name), require: createRequire(real) }
  }
  const why = refused === undefined ? '' : `; ${refused} is in the checkout, from which no code is loaded`
  throw new RunError('config', `${what} needs the package ${name}: npm install -g ${name}${why}`)
}

export type LoadedPackage<Exports> = ReturnType<typeof loadPackage<Exports>>

/** Folders whose `node_modules`, or that of a folder above, may hold it. */
function startsOf({ PATH = '', NODE_PATH = '' }: PackagePlaces['environment']): string[] {
  const named = NODE_PATH.split(delimiter).filter((path) => basename(path) === 'node_modules')
  const nodes = PATH.split(delimiter).map((path) => join(path, 'node'))
  const real = nodes.filter((path) => isAbsolute(path) && existsSync(path)).map((path) => realpathSync(path))
  const globals = real.map((path) => join(dirname(path), '..', 'lib'))
  return [...new Set([import.meta.dirname, ...named.map((path) => dirname(path)), ...globals])]
}

function versionOf(file: string, name: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (!existsSync(path)) continue
    const { name: found, version } = JSON.parse(readFileSync(path, 'utf8'))
    if (found === name) return String(version)
  }
  return 'of an unknown version'
}
