// Writes the SBOM of the package, as `npm sbom` makes it (CycloneDX): what an installation brings, and what dist/ has in it.
// `node scripts/writeSbom.mjs dist/sbom.cdx.json`
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [, , file] = process.argv
const DEVELOPMENT = 'cdx:npm:package:development'
if (file === undefined) throw new Error('usage: node scripts/writeSbom.mjs FILE')
const folder = mkdtempSync(join(tmpdir(), 'kode-run-sbom-'))
try {
  const list = join(folder, 'bundled.json')
  execFileSync(process.execPath, ['scripts/build.mjs', `--list-bundled=${list}`], { cwd: root, stdio: 'ignore' })
  const bundled = new Set(JSON.parse(readFileSync(list, 'utf8')).map(nameAt))
  const sbom = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
    }),
  )
  const refOf = ({ name, version }) => `${name}@${version}`
  const isDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === DEVELOPMENT)
  const isOurs = (component) => bundled.has(refOf(component)) || !isDevelopment(component)
  const components = sbom.components.filter(isOurs).map(withoutDevelopment)
  const found = new Set(components.map(refOf))
  const missing = [...bundled].filter((ref) => !found.has(ref))
  if (missing.length > 0) throw new Error(`npm sbom does not know what is bundled: ${missing.join(', ')}`)
  const kept = new Set([sbom.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
  const dependencies = sbom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }))
  // npm calls it after its folder.
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const metadata = { ...sbom.metadata, component: { ...sbom.metadata.component, name } }
  writeFileSync(file, `${JSON.stringify({ ...sbom, metadata, components, dependencies }, null, 1)}\n`)
  console.log(`${file}: ${components.length} packages, ${bundled.size} of them bundled`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The name and version of an installed package. */
function nameAt(folder) {
  const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return `${name}@${version}`
}

/** What is bundled is no development dependency of those who install it. */
function withoutDevelopment(component) {
  const { properties = [] } = component
  return { ...component, properties: properties.filter(({ name }) => name !== DEVELOPMENT) }
}
