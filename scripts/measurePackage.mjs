// Packs kode-run as it is published, installs that in an empty folder, and fails where it is larger than was promised.
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MOST = { 'packed MB': 1.5, 'installed packages': 60, 'installed MB': 40 }

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kode-run-pack-'))
const npm = (cwd, ...words) => execFileSync('npm', [...words, '--loglevel=error'], { cwd, encoding: 'utf8' })
try {
  const [{ filename }] = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(folder, 'install', '--no-audit', '--no-fund', `./${filename}`)
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const measured = {
    'packed MB': statSync(join(folder, filename)).size / 1e6,
    'installed packages': Object.keys(packages).length,
    'installed MB': bytesBelow(join(folder, 'node_modules')) / 1e6,
  }
  for (const [what, value] of Object.entries(measured)) {
    console.log(`${what}: ${Number(value.toFixed(2))} (at most ${MOST[what]})`)
    if (value > MOST[what]) process.exitCode = 1
  }
  const version = execFileSync(join(folder, 'node_modules/.bin/kode-run'), ['--version'], { encoding: 'utf8' })
  console.log(`installed: kode-run ${version.trim()}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function bytesBelow(path) {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0)
}
