import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Locked = {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const packages: Readonly<Record<string, Locked>> = read('package-lock.json').packages

/** Where Node looks for a package that another one asks for. */
function isLocked(from: string, name: string, locked: typeof packages): boolean {
  const parents = from
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'))
  return ['', ...parents].some((parent) => `${parent === '' ? '' : `${parent}/`}node_modules/${name}` in locked)
}

/** What is asked for and not there: `npm ci` refuses the whole file for one of them, on any platform. */
function missing(locked: typeof packages): readonly string[] {
  return Object.entries(locked).flatMap(([from, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(from, name, locked))
      .map((name) => `${from}: ${name}`),
  )
}

describe('package-lock.json', () => {
  it('has every package for every platform, so that `npm ci` works anywhere', () => {
    expect(missing(packages)).toEqual([])
    const { 'node_modules/@biomejs/cli-darwin-arm64': _left, ...others } = packages
    expect(missing(others)).toEqual(['node_modules/@biomejs/biome: @biomejs/cli-darwin-arm64'])
  })

  it.each(['package-lock.json', 'scripts/mutation/package-lock.json'])(
    'names no registry, and has the hash of each package: %s',
    (file) => {
      const locked: typeof packages = read(file).packages
      const odd = Object.entries(locked).filter(
        ([path, { resolved, integrity }]) =>
          path !== '' && (resolved !== undefined || integrity?.startsWith('sha512-') !== true),
      )
      expect(odd.map(([path]) => path)).toEqual([])
    },
  )

  it('matches package.json', () => {
    const { dependencies, devDependencies, optionalDependencies } = read('package.json')
    expect(packages['']).toMatchObject({ dependencies, devDependencies, optionalDependencies })
    const mutation = read('scripts/mutation/package.json')
    expect(read('scripts/mutation/package-lock.json').packages['']).toMatchObject({
      dependencies: mutation.dependencies,
    })
  })
})
