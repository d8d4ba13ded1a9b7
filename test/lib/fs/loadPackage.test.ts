import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadPackage } from '../../../src/lib/fs/loadPackage.ts'
import { makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'

const NAME = 'kode-run-optional-test'
const PLACE = `lib/node_modules/${NAME}`

/** Puts the package into `lib/node_modules` beside `bin/node`, as `npm install -g` does, with a package that it needs. */
function globalFolder(root: string, version = '1.2.3'): string {
  writeFiles(root, {
    [`${PLACE}/package.json`]: JSON.stringify({ name: NAME, version, main: 'dist/main.js' }),
    // Nearer to the file than its own: not the package's version.
    [`${PLACE}/dist/package.json`]: '{"type":"commonjs","version":"9.9.9"}',
    [`${PLACE}/dist/main.js`]: 'exports.answer = 42',
    [`${PLACE}/node_modules/inner/index.js`]: 'exports.inner = true',
    'bin/node': '',
  })
  return join(root, 'bin')
}

const load = (environment: Record<string, string>, checkout: readonly string[] = []) =>
  loadPackage<{ answer: number }>(NAME, '--telemetry', { environment, checkout })

it('finds a package in the global folder of the Node on PATH, also through a link', () => {
  const bin = globalFolder(makeFiles())
  const { exports, version, require: inside } = load({ PATH: `/gone:relative:${bin}` })
  expect([exports.answer, version, inside('inner').inner]).toEqual([42, '1.2.3', true])

  expect(load({ PATH: makeFiles({ node: `-> ${bin}/node` }) }).version).toBe('1.2.3')
})

it('finds a package in a folder of NODE_PATH, which comes first', () => {
  const [one, other] = [makeFiles(), makeFiles()]
  const bin = globalFolder(one)
  globalFolder(other, '2.0.0')
  expect(load({ PATH: bin, NODE_PATH: `/gone:${join(other, 'lib/node_modules')}` }).version).toBe('2.0.0')
  expect(() => load({ NODE_PATH: join(other, 'lib') })).toThrow('needs the package')
})

it('loads no code from the checkout, and says so', () => {
  const root = makeFiles()
  const bin = globalFolder(root)
  const file = join(root, PLACE, 'dist/main.js')
  const message = `--telemetry needs the package ${NAME}: npm install -g ${NAME}`
  expect(() => load({ PATH: bin }, ['/elsewhere', root])).toThrow(
    `${message}; ${file} is in the checkout, from which no code is loaded`,
  )
  // Elsewhere it is still found.
  const outside = globalFolder(makeFiles(), '3.0.0')
  expect(load({ PATH: `${bin}:${outside}` }, [root]).version).toBe('3.0.0')
  expect(() => load({})).toThrow(new RegExp(`^${message}$`))
  expect(() => load({})).toThrow(expect.objectContaining({ reason: 'config' }))
})

it('says so where no package.json names the package', () => {
  const root = makeFiles()
  const bin = globalFolder(root)
  writeFiles(root, { [`${PLACE}/package.json`]: '{"name":"other","main":"dist/main.js"}' })
  expect(load({ PATH: bin }).version).toBe('of an unknown version')
})
