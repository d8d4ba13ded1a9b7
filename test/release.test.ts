import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from './helpers/makeFolder.ts'

const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8'))
const tag = `v${version.split('.')[0]}`

describe('one tag scheme', () => {
  it('matches the version wherever the Action is named', () => {
    const places = ['README.md', 'docs', 'examples', 'src', 'action']
    const found = execFileSync('git', ['grep', '-hoE', 'kode-run/kode-run@[A-Za-z0-9._-]+', '--', ...places], {
      encoding: 'utf8',
    })
    const names = found.trim().split('\n')
    expect(names.length).toBeGreaterThan(6)
    expect([...new Set(names)].sort()).toEqual([`kode-run/kode-run@${tag}`])
  })

  it('matches the release workflow', () => {
    const text = readFileSync('.github/workflows/release.yml', 'utf8')
    expect(text).toContain("tags: ['[0-9]+.[0-9]+.[0-9]+']")
    expect(text).toContain('git tag "v$GITHUB_REF_NAME"')
    expect(text).toContain('git tag --force "v${GITHUB_REF_NAME%%.*}"')
  })

  it('belongs to the repository of the package', () => {
    expect(repository.url).toBe('git+https://github.com/kode-run/kode-run.git')
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(version)
  })
})

it('carries an SBOM of what is installed and bundled', { tags: 'long' }, () => {
  expect(readFileSync('.github/workflows/release.yml', 'utf8')).toContain(
    'node scripts/writeSbom.mjs dist/sbom.cdx.json',
  )
  const folder = makeFolder()
  execFileSync(process.execPath, ['scripts/writeSbom.mjs', join(folder, 'sbom.json')], { stdio: 'ignore' })
  const sbom = JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8'))
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'kode-run', version } } })
  const names: string[] = sbom.components.map(({ name }: { readonly name: string }) => name)
  const bundled = ['@anthropic-ai/sdk', '@modelcontextprotocol/sdk', 'undici', 'yaml', 'micromark', 're2js', 'unbash']
  expect(names).toEqual(expect.arrayContaining(['zod', '@vscode/ripgrep', ...bundled]))
  for (const tool of ['vitest', 'rolldown', 'typescript', '@biomejs/biome']) expect(names).not.toContain(tool)
})

/** Plays the script that the release workflow calls, with an `npm` that packs a ripgrep of ours and says this of it. */
function carryRipgrep(integrity: string) {
  const folder = makeFolder()
  mkdirSync(join(folder, 'root/scripts'), { recursive: true })
  cpSync('package-lock.json', join(folder, 'root/package-lock.json'))
  cpSync('scripts/carryRipgrep.mjs', join(folder, 'root/scripts/carryRipgrep.mjs'))
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  writeFileSync(join(folder, 'package/bin/rg'), '#!/bin/sh\necho carried\n', { mode: 0o755 })
  execFileSync('tar', ['-czf', join(folder, 'rg.tgz'), '-C', folder, 'package'])
  const npm = `#!/bin/sh
for word do last=$word; done
cp '${folder}/rg.tgz' "$last/rg.tgz"
echo "$2" >> '${folder}/asked'
echo '[{ "filename": "rg.tgz", "integrity": "${integrity}" }]'
`
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/npm'), npm)
  chmodSync(join(folder, 'bin/npm'), 0o755)
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  const script = join(folder, 'root/scripts/carryRipgrep.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script, 'linux-x64'], { env, encoding: 'utf8' })
  const carried = join(folder, 'root/dist/ripgrep/linux-x64/rg')
  return { status, stderr, carried, asked: readFileSync(join(folder, 'asked'), 'utf8').trim() }
}

describe.skipIf(spawnSync('tar', ['--version']).status !== 0)(
  'the tag of the Action carries ripgrep (needs tar)',
  () => {
    const name = '@vscode/ripgrep-linux-x64'
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const locked = packages[`node_modules/${name}`]

    it('of the version in the lock file, at the place where the Action looks for it, ready to start', () => {
      const { status, stderr, carried, asked } = carryRipgrep(locked.integrity)
      expect([status, stderr, asked]).toEqual([0, '', `${name}@${locked.version}`])
      expect(execFileSync(carried, { encoding: 'utf8' })).toBe('carried\n')
    })

    it('and none that is not the locked one', () => {
      const { status, stderr, carried } = carryRipgrep('sha512-another')
      expect([status, existsSync(carried)]).toEqual([1, false])
      expect(stderr).toContain('is not the locked one: sha512-another')
    })
  },
)
