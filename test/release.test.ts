import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

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
