// Puts ripgrep for the runners of GitHub into dist/ripgrep/, for the tag of the Action: nothing is installed beside that.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLATFORMS = process.argv.length > 2 ? process.argv.slice(2) : ['linux-x64', 'linux-arm64', 'darwin-arm64']

const root = fileURLToPath(new URL('..', import.meta.url))
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'kode-run-rg-'))
try {
  for (const platform of PLATFORMS) {
    const name = `@vscode/ripgrep-${platform}`
    const { version, integrity } = packages[`node_modules/${name}`]
    const words = ['pack', `${name}@${version}`, '--json', '--loglevel=error', '--pack-destination', folder]
    const [packed] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' }))
    if (packed.integrity !== integrity) throw new Error(`${name}@${version} is not the locked one: ${packed.integrity}`)
    execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder])
    const place = join(root, 'dist', 'ripgrep', platform)
    mkdirSync(place, { recursive: true })
    copyFileSync(join(folder, 'package', 'bin', 'rg'), join(place, 'rg'))
    rmSync(join(folder, 'package'), { recursive: true })
    console.log(`dist/ripgrep/${platform}/rg ${version}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
